/**
 * Finds the characters that change what a reader sees without being seen: in a preview each is shown by its
 * code. Pure.
 */

/** A run of plain text, or one hidden character with its code. */
export interface Segment {
  readonly text: string;
  /** `U+202E`; null for plain text. */
  readonly code: string | null;
}

/** Bidirectional controls, zero-width characters, fillers, separators, tags and controls other than tab and newline. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e00ff}]|\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0e]|[\u{e0100}-\u{e0fff}]/gu;

/** A joiner between two pictures is part of an emoji and hides nothing. */
const JOINED_PICTURES = /(?:\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])$/u;

/** Splits a text at its hidden characters. */
export function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (isEmojiJoiner(text, match.index)) continue;
    if (match.index > from) segments.push({ text: text.slice(from, match.index), code: null });
    segments.push({ text: match[0], code: codeOf(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) segments.push({ text: text.slice(from), code: null });
  return segments;
}

function isEmojiJoiner(text: string, at: number): boolean {
  return (
    text[at] === '\u200d' &&
    JOINED_PICTURES.test(text.slice(Math.max(0, at - 2), at)) &&
    /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3))
  );
}

/** The code of a character: `U+202E`. */
export function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
