import { lazy, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { isGuest, useSession } from '../app/session';
import { introduce } from '../documents/presence';
import { type LiveDocument, openDocument } from '../documents/provider';
import { useFacts, useKind } from '../files/kind';
import type { PaneProps } from '../frames/panes';
import { useFrames } from '../frames/store';
import { mayBeLatex } from '../latex/state';
import { registerMarkdownCommands } from '../livePreview/commands';
import { loadPreview, previewInTime } from '../livePreview/loaded';
import { useMarkdownMode } from '../livePreview/mode';
import { pictureKind } from '../markdown/rules';
import { ReviewBar } from '../review/ReviewBar';
import { mayBeScript } from '../scripts/isScript';
import { part } from '../ui/part';
import { useWay } from '../viewers/useWay';
import { chooseWay, type Way } from '../viewers/ways';
import type { Failure, FileKind } from '../wire/gen/types';
import { registerEditorCommands } from './commands';
import { NotText } from './NotText';
import { LostText, StateLine } from './StateLine';

registerEditorCommands();
registerMarkdownCommands();

const CodeView = part(async () => ({ default: (await import('./CodeView')).CodeView }));
/** The same with the look of Markdown, so that its source does not flash up. */
const NoteView = part(async () => {
  const [{ CodeView }] = await Promise.all([import('./CodeView'), previewInTime()]);
  return { default: CodeView };
});
const ReadingView = lazy(() => import('../livePreview/ReadingView'));
const LatexBar = lazy(() => import('../latex/LatexBar'));
const ScriptBar = lazy(() => import('../scripts/ScriptBar'));
const PdfView = lazy(() => import('../pdf/PdfView'));
const ImageView = lazy(() => import('../images/ImageView'));
const TableView = lazy(() => import('../tables/TableView'));
const TreeView = lazy(() => import('../values/TreeView'));
const PageView = lazy(() => import('../viewers/PageView'));
const MediaView = lazy(() => import('../media/MediaView'));
const BytesView = lazy(() => import('../bytes/BytesView'));
const Notebook = part(() => import('../notebook/Notebook'));
const UnreadNotebook = lazy(() => import('../notebook/UnreadNotebook'));

/** Loads what shows a file of this name, so that it is there by the time the document is. */
export function preloadFor(path: string): void {
  if (/\.pdf$/i.test(path) || pictureKind(path)) return;
  if (isMarkdown(path)) void loadPreview();
  (isNotebook(path) ? Notebook : isMarkdown(path) ? NoteView : CodeView).preload();
}

/** A file in a pane: its text, its pages, or why it can't be shown. */
export default function FileView({ view, tab, focused }: PaneProps) {
  const path = view.kind === 'file' ? view.path : '';
  if (/\.pdf$/i.test(path)) return <PdfView key={path} path={path} tab={tab} />;
  if (pictureKind(path)) return <PictureView key={path} path={path} tab={tab} focused={focused} />;
  return <KnownFile path={path} tab={tab} focused={focused} />;
}

/** An image; an SVG is text as well, which can be edited. */
function PictureView({ path, tab, focused }: { path: string; tab: string; focused: boolean }) {
  const isText = /\.svg$/i.test(path);
  const [source, setSource] = useState(false);
  // A link to a line means the text.
  const line = useFrames((state) => state.reveals[tab]?.line ?? null);
  if (isText && (source || line !== null)) return <TextView path={path} tab={tab} focused={focused} />;
  return (
    <Suspense fallback={null}>
      <ImageView path={path} onSource={isText ? () => setSource(true) : undefined} />
    </Suspense>
  );
}

/** A file in the way that its kind or the person says. */
function KnownFile(props: { path: string; tab: string; focused: boolean }) {
  const { path, tab } = props;
  const facts = useFacts(path);
  const { ways, way } = useWay(path);
  useSourceForLine(path, tab, ways);
  // The table of kinds is there within a moment; a text that is only passed by is not opened.
  if (!facts) return null;
  // Names of binary files don't say enough: the server looks into them.
  if (way === 'source' || facts.editor === 'bytes') return <TextView {...props} />;
  return (
    <Suspense fallback={null}>
      {way === 'table' && <TableView key={path} path={path} tab={tab} />}
      {way === 'tree' && <TreeView key={path} path={path} tab={tab} />}
      {way === 'page' && <PageView key={path} path={path} />}
      {way === 'bytes' && <BytesView key={path} path={path} tab={tab} />}
      {(way === 'audio' || way === 'video') && <MediaView key={path} path={path} way={way} />}
    </Suspense>
  );
}

const shownLines = new Map<string, number>();

/** A link to a line means the text. */
function useSourceForLine(path: string, tab: string, ways: readonly Way[]): void {
  const reveal = useFrames((state) => state.reveals[tab]);
  useEffect(() => {
    if (!reveal || reveal.line === null || !ways.includes('source') || shownLines.get(tab) === reveal.count) return;
    shownLines.set(tab, reveal.count);
    chooseWay(path, 'source');
  }, [path, tab, reveal, ways]);
}

function TextView({ path, tab, focused }: { path: string; tab: string; focused: boolean }) {
  preloadFor(path);
  const live = useLive(path);
  return live && <Opened key={path} live={live} path={path} tab={tab} focused={focused} />;
}

interface OpenedProps {
  live: LiveDocument;
  path: string;
  tab: string;
  focused: boolean;
}

function Opened({ live, path, tab, focused }: OpenedProps) {
  const { phase, failure, generation, notebook } = useStore(live.status);
  // Known by its first bytes, where its name does not say it.
  const kind = useKind(path);
  const user = useSession((session) => (session.state.phase === 'open' ? session.state.session.user : ''));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation is a new copy to introduce ourselves in
  useEffect(() => introduce(live.awareness, user || 'Anonymous'), [live, user, generation]);
  if (phase === 'refused' && failure) {
    return (
      <>
        <LostText live={live} />
        <Suspense fallback={null}>
          <Refused path={path} tab={tab} kind={kind} failure={failure} />
        </Suspense>
      </>
    );
  }
  return (
    <>
      <StateLine path={path} live={live} />
      {phase === 'open' && notebook && (
        <Suspense fallback={null}>
          <Notebook path={path} live={live} tab={tab} focused={focused} />
        </Suspense>
      )}
      {phase === 'open' && !notebook && isNotebook(path) && (
        <Suspense fallback={null}>
          <UnreadNotebook live={live} />
        </Suspense>
      )}
      {mayBeLatex(path) && (
        <Suspense fallback={null}>
          <LatexBar path={path} live={live} />
        </Suspense>
      )}
      {mayBeScript(path) && (
        <Suspense fallback={null}>
          <ScriptBar path={path} live={live} />
        </Suspense>
      )}
      <ReviewBar path={path} />
      {phase === 'open' && !notebook && (
        <Suspense fallback={null}>
          <EditedText path={path} live={live} tab={tab} focused={focused} />
        </Suspense>
      )}
    </>
  );
}

/** A file that is not text: a picture, a player, or its bytes; else why it can't be shown. */
function Refused({ path, tab, kind, failure }: { path: string; tab: string; kind: FileKind; failure: Failure }) {
  const [bytes, setBytes] = useState(false);
  const isBinary = failure.code === 'binary' && !isGuest();
  if (isBinary && kind === 'image') return <ImageView path={path} />;
  if (isBinary && (kind === 'audio' || kind === 'video')) return <MediaView path={path} way={kind} />;
  if (bytes || isBinary) return <BytesView path={path} tab={tab} />;
  const hasBytes = HAVE_BYTES.has(failure.code) && !isGuest();
  return <NotText path={path} failure={failure} tab={tab} onBytes={hasBytes ? () => setBytes(true) : undefined} />;
}

const HAVE_BYTES: ReadonlySet<string> = new Set(['not_utf8', 'too_large']);

/** A text in its editor; a note as it is to be shown. */
function EditedText(props: OpenedProps) {
  const mode = useMarkdownMode(props.path);
  const isNote = useKind(props.path) === 'markdown' || isMarkdown(props.path);
  if (!isNote) return <CodeView {...props} />;
  return mode === 'reading' ? <ReadingView {...props} /> : <NoteView {...props} />;
}

const isMarkdown = (path: string) => /\.(?:md|markdown)$/i.test(path);

/** By its name: what is called so and is none is shown as text. */
const isNotebook = (path: string) => /\.ipynb$/i.test(path);

function useLive(path: string): LiveDocument | null {
  const [live, setLive] = useState<LiveDocument | null>(null);
  useEffect(() => {
    const held = openDocument({ kind: 'file', path });
    setLive(held.live);
    return () => {
      setLive(null);
      held.close();
    };
  }, [path]);
  return live;
}
