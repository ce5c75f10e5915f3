// Texts of a comparison: bytes as text, and a text with changes made to it. Pure.
import type { DocumentVersion, Hunk } from '../wire/gen/types';

/** Reads bytes as text: UTF-8, UTF-16 with its mark, else Windows-1252. Null for what is no text. */
export function textIn(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Bytes in which a zero says that a file is no text, as git does. */
const LOOKED_AT = 8000;

/** Returns a text with changes made to its lines; null if it is not the text that they were made for. */
export function withHunks(text: string, hunks: readonly Pick<Hunk, 'start' | 'old' | 'new'>[]): string | null {
  const lines = text.split(/\r\n|\r|\n/);
  for (const { start, old, new: added } of hunks.toSorted((one, two) => two.start - one.start)) {
    if (old.some((line, index) => lines[start - 1 + index] !== line)) return null;
    lines.splice(start - 1, old.length, ...added);
  }
  return lines.join('\n');
}

/** The words of a version in a list. */
export function versionWords({ at, made_by }: DocumentVersion): string {
  const time = new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return `${time}, ${made_by}`;
}
