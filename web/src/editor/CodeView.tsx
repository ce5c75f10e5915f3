import { Compartment, EditorSelection, EditorState, type StateEffect } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { isGuest } from '../app/session';
import type { LiveDocument } from '../documents/provider';
import { kindOf } from '../files/kind';
import { type Reveal, useFrames } from '../frames/store';
import { markdownModes, topOf } from '../livePreview/extension';
import { loadedPreview } from '../livePreview/loaded';
import { modeOf } from '../livePreview/mode';
import { keepTop, takeTop } from '../livePreview/top';
import { lineOfHeading } from '../markdown/headings';
import { frontMatterOf } from '../markdown/noteSyntax';
import { problemMarks } from '../problems/marks';
import { registerReviewCommands } from '../review/commands';
import { review } from '../review/editor';
import { scriptHelp } from '../scripts/help';
import { mayBeScript } from '../scripts/isScript';
import { writesElsewhere } from '../ui/attention';
import styles from './CodeView.module.css';
import { cursorStays } from './cursorStays';
import { setFocus, useFocus } from './focus';
import { loadFileLanguage } from './langs';
import { focusIn, lookingExtension, sizeOf } from './looking';
import { setup } from './setup';
import { sourceLinks } from './sourceLinks';

interface CodeViewProps {
  path: string;
  live: LiveDocument;
  tab: string;
  /** The pane has the person's attention. */
  focused: boolean;
}

/** The editor of a live document. It binds anew when the document's copy had to be dropped. */
export function CodeView({ path, live, tab, focused }: CodeViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const generation = useStore(live.status, (status) => status.generation);
  const isFocused = useRef(focused);
  isFocused.current = focused;

  // Before the page is painted, and taken down while it still stands in the page: what is out of it has no scroll position.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation is a new document to bind to
  useLayoutEffect(() => {
    if (!host.current) return;
    const look = () => isFocused.current && view.current && setFocus(focusIn(view.current, path), sizeOf(view.current));
    const editor = createEditor(host.current, path, live, tab, look);
    view.current = editor;
    return () => {
      remember(tab, path, editor);
      editor.destroy();
      view.current = null;
    };
  }, [path, live, generation, tab]);

  useEffect(() => {
    if (!focused || !view.current) return;
    setFocus(focusIn(view.current, path), sizeOf(view.current));
    return () => {
      if (useFocus.getState().focus?.path === path) setFocus(null);
    };
  }, [focused, path]);

  const reveal = useFrames((state) => state.reveals[tab]);
  useEffect(() => {
    if (reveal && view.current) doReveal(view.current, tab, reveal);
  }, [reveal, tab]);

  return <div ref={host} className={styles.code} />;
}

function createEditor(
  parent: HTMLElement,
  path: string,
  live: LiveDocument,
  tab: string,
  look: () => void,
): EditorView {
  const language = new Compartment();
  const doc = live.text.toString();
  const before = remembered.get(tab);
  const isMarkdown = kindOf(path) === 'markdown';
  const fits = before?.path === path && before.selection.ranges.every((range) => range.to <= doc.length);
  const state = EditorState.create({
    doc,
    selection: fits ? before.selection : { anchor: isMarkdown ? bodyOf(doc) : 0 },
    extensions: [
      setup(path, live),
      language.of(isMarkdown ? (loadedPreview()?.language ?? []) : []),
      review(path, live.doc),
      problemMarks(path, live.text),
      lookingExtension(look),
      cursorStays(fits ? before.height : 0),
      contextMenu(path),
      mayBeScript(path) ? scriptHelp(path) : [],
      isMarkdown ? [sourceLinks(path), markdownModes(path)] : [],
    ],
  });
  const top = takeTop(tab, path);
  const view = new EditorView({ state, parent, scrollTo: scrollTo(state, top, fits ? before.scroll : undefined) });
  void loadFileLanguage(kindOf(path)).then((support) => {
    if (support && view.dom.isConnected) view.dispatch({ effects: language.reconfigure(support) });
  });
  return view;
}

/** Where the text of a note begins: behind its front matter, which stays folded. */
const bodyOf = (doc: string): number => frontMatterOf(doc.slice(0, 20_000))?.end ?? 0;

/** The line that was at the top of another view of the file counts before the place where this one was. */
function scrollTo({ doc }: EditorState, top: number | null, before: StateEffect<unknown> | undefined) {
  if (top === null || top > doc.lines) return before;
  return EditorView.scrollIntoView(doc.line(top).from, { y: 'start' });
}

registerReviewCommands();

/** By the right button, or by the keyboard's own key; with Shift it is the browser's own menu. A guest has that alone. */
function contextMenu(path: string) {
  return EditorView.domEventHandlers({
    contextmenu: (event, view) => {
      const byMouse = event.button === 2;
      if (isGuest() || (byMouse && event.shiftKey)) return false;
      event.preventDefault();
      const { clientX: left, clientY: top } = event;
      const cursor = view.coordsAtPos(view.state.selection.main.head);
      const at = byMouse || !cursor ? { left, top, bottom: top } : cursor;
      void import('./contextMenu').then((menu) =>
        menu.openContextMenu(view, path, { getBoundingClientRect: () => at }),
      );
      return true;
    },
  });
}

/** Where somebody was in a tab that is out of sight. */
interface Place {
  path: string;
  selection: EditorSelection;
  scroll: StateEffect<unknown>;
  /** How high the text stood, in pixels. */
  height: number;
}

const remembered = new Map<string, Place>();
const revealed = new Map<string, number>();

function remember(tab: string, path: string, view: EditorView): void {
  if (modeOf(path) === 'reading') keepTop(tab, path, view.state.doc.lineAt(topOf(view)).number);
  remembered.set(tab, {
    path,
    selection: view.state.selection,
    scroll: view.scrollSnapshot(),
    height: view.scrollDOM.clientHeight,
  });
}

function doReveal(view: EditorView, tab: string, reveal: Reveal): void {
  if (revealed.get(tab) === reveal.count) return;
  revealed.set(tab, reveal.count);
  const number =
    reveal.line ?? (reveal.heading === null ? null : lineOfHeading(view.state.doc.toString(), reveal.heading));
  if (number !== null) {
    const line = view.state.doc.line(Math.min(number, view.state.doc.lines));
    view.dispatch({
      selection: EditorSelection.cursor(line.from),
      effects: EditorView.scrollIntoView(line.from, { y: 'center' }),
    });
  }
  if (reveal.focus && !writesElsewhere(reveal.at)) view.focus();
}
