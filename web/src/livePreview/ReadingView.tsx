import { memo, startTransition, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { LiveDocument } from '../documents/provider';
import { setFocus, useFocus } from '../editor/focus';
import { type Reveal, useFrames } from '../frames/store';
import { type Chunk, chunksOf } from '../markdown/chunks';
import { EquationContext, equationNumbers } from '../markdown/equations';
import { lineOfHeading, namesHeading } from '../markdown/headings';
import { frontMatterOf } from '../markdown/noteSyntax';
import NoteText from '../notes/NoteText';
import { todoMark } from '../notes/todoMark';
import { useTextOf } from '../notes/useNoteText';
import { writesElsewhere } from '../ui/attention';
import { setMode } from './mode';
import { Properties } from './parts';
import styles from './ReadingView.module.css';
import { keepTop, takeTop } from './top';

interface ReadingViewProps {
  path: string;
  live: LiveDocument;
  tab: string;
  focused: boolean;
}

/** A note for reading: as the live preview shows it, with elements that say what they are. Todos can be ticked. */
export default function ReadingView({ path, live, tab, focused }: ReadingViewProps) {
  const text = useTextOf(live);
  const scroller = useRef<HTMLElement>(null);
  const chunks = useMemo(() => chunksOf(text), [text]);
  const numbers = useMemo(() => equationNumbers([text]), [text]);
  const front = frontMatterOf(text.slice(0, 20_000));
  const toggle = useCallback((at: number) => tick(live, at), [live]);
  useTop(scroller, tab, path, chunks);
  useReveals(scroller, tab, text, chunks);
  useEffect(() => {
    if (!focused) return;
    setFocus({ path });
    return () => {
      if (useFocus.getState().focus?.path === path) setFocus(null);
    };
  }, [focused, path]);
  return (
    <section
      ref={scroller}
      className={styles.reading}
      aria-label={`Reading view of ${path}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable
      tabIndex={0}
      data-reading={path}
    >
      {front && front.yaml.trim() !== '' && (
        <div className={styles.chunk}>
          <Properties yaml={front.yaml} onEdit={() => setMode(path, 'source')} />
        </div>
      )}
      <EquationContext value={numbers}>
        {chunks.map((chunk, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
          <Part key={index} path={path} text={chunk.text} start={chunk.start} lines={chunk.lines} toggle={toggle} />
        ))}
      </EquationContext>
      {chunks.length === 0 && <p className={styles.empty}>This note is empty.</p>}
    </section>
  );
}

interface PartProps {
  path: string;
  text: string;
  start: number;
  lines: number;
  toggle(at: number): void;
}

/** Pixels around the view in which parts are drawn. */
const NEAR = 1500;

/** A part of a note: its text as it is until it comes near. */
const Part = memo(function Part({ path, text, start, lines, toggle }: PartProps) {
  const host = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(start < 6000);
  useEffect(() => {
    if (near || !host.current) return;
    const root = host.current.closest('[data-reading]');
    const seen = new IntersectionObserver(
      // Between frames: scrolling goes on while parts are drawn.
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && startTransition(() => setNear(true)),
      { root, rootMargin: `${NEAR}px` },
    );
    seen.observe(host.current);
    return () => seen.disconnect();
  }, [near]);
  const ownToggle = useCallback((at: number) => toggle(start + at), [toggle, start]);
  // The estimate holds until the part was in sight; then the browser knows its height.
  const height = Math.round(Math.max(lines * 14, (text.length / 80) * 24));
  return (
    <div
      ref={host}
      className={styles.chunk}
      data-start={start}
      style={{ containIntrinsicBlockSize: `auto ${height}px` }}
    >
      {near ? <NoteText path={path} text={text} toggle={ownToggle} /> : <pre className={styles.plain}>{text}</pre>}
    </div>
  );
});

/** Changes the one character of a todo; text that moved meanwhile is left alone. */
function tick(live: LiveDocument, at: number): void {
  const mark = todoMark(live.text.toString().slice(at, at + 400));
  if (!mark) return;
  live.undo.step(() =>
    live.doc.transact(() => {
      live.text.delete(at + mark.at, mark.mark.length);
      live.text.insert(at + mark.at, /[xX]/.test(mark.mark) ? ' ' : 'x');
    }),
  );
}

/** Begins at the line where the other view was, and says where it ends. */
function useTop(
  scroller: React.RefObject<HTMLElement | null>,
  tab: string,
  path: string,
  chunks: readonly Chunk[],
): void {
  const latest = useRef(chunks);
  latest.current = chunks;
  useLayoutEffect(() => {
    const element = scroller.current;
    const line = takeTop(tab, path);
    if (line !== null && line > 1) toLine(element, latest.current, line);
    return () => {
      if (element) keepTop(tab, path, lineAtTop(element, latest.current));
    };
  }, [scroller, tab, path]);
}

function useReveals(
  scroller: React.RefObject<HTMLElement | null>,
  tab: string,
  text: string,
  chunks: readonly Chunk[],
): void {
  const reveal = useFrames((state) => state.reveals[tab]);
  const done = useRef<Reveal | undefined>(undefined);
  useEffect(() => {
    const element = scroller.current;
    if (!reveal || !element || done.current === reveal) return;
    done.current = reveal;
    const line = reveal.line ?? (reveal.heading === null ? null : lineOfHeading(text, reveal.heading));
    if (line !== null) toLine(element, chunks, line, headingIn(text, line));
    if (reveal.focus && !writesElsewhere(reveal.at)) element.focus({ preventScroll: true });
  }, [reveal, scroller, text, chunks]);
}

/** The words of the heading in a line. */
function headingIn(text: string, line: number): string | null {
  const words = text.split('\n', line)[line - 1] ?? '';
  return /^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*$/.exec(words)?.[1] ?? null;
}

/** Scrolls to a line: to its heading, if it is one, else about to it. */
function toLine(
  element: HTMLElement | null,
  chunks: readonly Chunk[],
  line: number,
  heading: string | null = null,
): void {
  const chunk = chunks.findLast((each) => each.line <= line) ?? chunks[0];
  const part = chunk && element?.querySelector<HTMLElement>(`[data-start="${chunk.start}"]`);
  if (!element || !chunk || !part) return;
  const go = (tries: number) => {
    const share = chunk.lines > 0 ? (line - chunk.line) / chunk.lines : 0;
    const place = [...part.querySelectorAll('[data-depth]')].find(
      (each) => heading !== null && namesHeading(heading, each.textContent ?? ''),
    );
    if (place) place.scrollIntoView({ block: 'start' });
    else
      element.scrollTop +=
        part.getBoundingClientRect().top - element.getBoundingClientRect().top + share * part.offsetHeight;
    // What comes near is drawn only now, and may be of another height.
    if (tries > 0) requestAnimationFrame(() => go(tries - 1));
  };
  go(3);
}

function lineAtTop(element: HTMLElement, chunks: readonly Chunk[]): number {
  const { top } = element.getBoundingClientRect();
  for (const part of element.querySelectorAll<HTMLElement>('[data-start]')) {
    const box = part.getBoundingClientRect();
    if (box.bottom <= top) continue;
    const chunk = chunks.find(({ start }) => String(start) === part.dataset.start);
    const share = box.height > 0 ? Math.max(0, (top - box.top) / box.height) : 0;
    return chunk ? chunk.line + Math.floor(share * chunk.lines) : 1;
  }
  return 1;
}
