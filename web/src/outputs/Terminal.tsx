import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import styles from './Outputs.module.css';
import { Printed } from './Printed';
import { readable } from './readable';
import { linesOf, type Piece, PLAIN, paletteColour, type Style } from './terminal';

interface TerminalProps {
  text: string;
  label: string;
  /** `stderr` is marked as such. */
  tone?: string;
  /** Of a text that was opened whole. */
  tall?: boolean;
  /** The end is what matters: always, or of what is being printed. */
  end?: 'always' | 'live' | undefined;
}

/** Lines that are drawn; a screen has far fewer. The rest is there, behind a scroll of blocks that are drawn in sight. */
const BLOCK = 400;

/** Printed text as a terminal shows it, in a window that scrolls. */
export function Terminal({ text, label, tone, tall, end }: TerminalProps) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  const frame = useEndInSight(text, end);
  return (
    <figure
      ref={frame}
      className={styles.terminal}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable
      tabIndex={0}
      data-tone-of={tone}
      data-tall={tall || undefined}
    >
      {blocks.map((pieces, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place
        <pre key={at} className={styles.block}>
          {pieces.map(({ text, style }, index) =>
            Object.keys(style).length === 0 ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
              <Printed key={index} text={text} />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
              <span key={index} style={look(style)}>
                <Printed text={text} />
              </span>
            ),
          )}
        </pre>
      ))}
    </figure>
  );
}

/** Milliseconds of printing after which its end is followed; what is there sooner is read from its beginning. */
const LONG = 500;
/** Pixels from the end within which a person is at the end. */
const NEAR = 48;

/** Keeps the end of a text in sight while it grows, until the person scrolls away from it. */
function useEndInSight(text: string, end: 'always' | 'live' | undefined): RefObject<HTMLElement | null> {
  const frame = useRef<HTMLElement>(null);
  const [since] = useState(() => performance.now());
  const follows = useRef(false);
  const isLeft = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a text that has grown has another end.
  useLayoutEffect(() => {
    follows.current ||= end === 'always' || (end === 'live' && performance.now() - since > LONG);
    if (follows.current && !isLeft.current && frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, [text, end, since]);
  useEffect(() => {
    const element = frame.current;
    const scrolled = () => {
      if (element) isLeft.current = element.scrollHeight - element.scrollTop - element.clientHeight > NEAR;
    };
    element?.addEventListener('scroll', scrolled, { passive: true });
    return () => element?.removeEventListener('scroll', scrolled);
  }, []);
  return frame;
}

function blocksOf(text: string): Piece[][] {
  const lines = linesOf(text);
  // A line end at the end begins no line of its own.
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
  const blocks: Piece[][] = [];
  for (let at = 0; at < lines.length; at += BLOCK) {
    blocks.push(joined(lines.slice(at, at + BLOCK), at + BLOCK >= lines.length));
  }
  return blocks;
}

/** Lines as pieces with their line ends; what looks the same in a row is one piece, so that there is little to draw. */
function joined(lines: readonly Piece[][], last: boolean): Piece[] {
  const pieces: { text: string; style: Style }[] = [];
  const add = ({ text, style }: Piece) => {
    const before = pieces.at(-1);
    if (before?.style === style) before.text += text;
    else pieces.push({ text, style });
  };
  lines.forEach((line, at) => {
    line.forEach(add);
    if (!last || at < lines.length - 1) add({ text: '\n', style: PLAIN });
  });
  return pieces;
}

function look({ fg, bg, bold, dim, italic, underline, strike, inverse }: Style): CSSProperties {
  const [front, back] = inverse ? ['bg', fg ?? 'fg'] : [fg, bg];
  return {
    color: front === undefined ? undefined : bg === undefined && !inverse ? ink(front) : colour(front),
    backgroundColor: back === undefined ? undefined : inverse ? colour(back) : ground(back),
    fontWeight: bold ? 600 : undefined,
    opacity: dim ? 0.75 : undefined,
    fontStyle: italic ? 'italic' : undefined,
    textDecoration: [underline && 'underline', strike && 'line-through'].filter(Boolean).join(' ') || undefined,
  };
}

function ink(value: number | string): string {
  const chosen = colour(value);
  return chosen.startsWith('var') ? chosen : readable(chosen);
}

/** Behind text only a touch of a named colour, so that every other one can be read on it. */
function ground(value: number | string): string {
  return typeof value === 'number' && value < 16
    ? `color-mix(in srgb, var(--ansi-${value}) 14%, var(--bg))`
    : colour(value);
}

/** The sixteen that have names are the theme's, so that they can be read on it. */
function colour(value: number | string): string {
  if (value === 'bg' || value === 'fg') return `var(--${value})`;
  if (typeof value === 'string') return value;
  return value < 16 ? `var(--ansi-${value})` : paletteColour(value);
}
