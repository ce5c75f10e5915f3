/** A place in a file, in few words, and what of it can be sent. Pure. */
import type { TextSize } from '../editor/focus';
import type { Focus, FocusScope, LineRange } from '../wire/gen/types';

/** What of the file goes along; `auto` is what the assistant needs. */
export type Scope = FocusScope | 'auto';

/** What can be chosen, in words. */
export const SCOPES: readonly { readonly scope: Scope; readonly label: string; readonly meaning: string }[] = [
  {
    scope: 'auto',
    label: 'Automatic',
    meaning: 'The whole file if it is small, otherwise the lines around the cursor',
  },
  { scope: 'selection', label: 'Selection', meaning: 'Only the selected lines' },
  { scope: 'cursor', label: 'Around the cursor', meaning: 'Ten lines above and below the cursor' },
  { scope: 'viewport', label: 'Visible lines', meaning: 'Only the visible lines' },
  { scope: 'whole', label: 'Whole file', meaning: 'The whole file, up to 2,000 lines' },
  { scope: 'nothing', label: 'Nothing', meaning: 'Only your message and the files it mentions' },
];

/** "harmonics.py, line 12" or "harmonics.py, lines 3–9 selected". */
export function focusWords({ path, cell, cursor, selection }: Focus): string {
  const name = cell === undefined ? nameOf(path) : `${nameOf(path)}, this cell`;
  if (selection && selection.end > selection.start)
    return `${name}, lines ${selection.start}–${selection.end} selected`;
  if (selection) return `${name}, selection in line ${selection.start}`;
  return cursor ? `${name}, line ${cursor}` : name;
}

/** Lines and bytes up to which a text is sent whole, and how it is cut otherwise; the server's `context.rs` has the same. */
const WHOLE = { lines: 400, bytes: 16 * 1024 };
const WINDOW = 100;
const AROUND = 10;

/**
 * "whole file" or "lines 1–40": what goes along of a text where the person chose nothing. Of very long lines it may be
 * fewer. Null where nobody knows here.
 */
export function partWords(focus: Focus, size: TextSize | null): string | null {
  const lines = linesAlong(focus, size);
  if (!lines || !size) return null;
  const { start, end } = lines;
  if (start === 1 && end >= size.lines) return 'whole file';
  return start === end ? `line ${start}` : `lines ${start}–${end}`;
}

/** The lines that go along of a text where the person chose nothing. */
export function linesAlong({ cell, cursor, selection, viewport }: Focus, size: TextSize | null): LineRange | null {
  if (cell !== undefined || size === null) return null;
  const total = Math.max(1, size.lines);
  if (size.lines <= WHOLE.lines && size.bytes <= WHOLE.bytes) return { start: 1, end: total };
  const at = selection ?? viewport ?? (cursor ? { start: cursor, end: cursor } : { start: 1, end: WINDOW });
  const from = Math.min(at.start, total);
  const to = Math.min(Math.max(at.end, from), total);
  const wide = { start: Math.max(1, from - AROUND), end: Math.min(to + AROUND, total) };
  if (wide.end - wide.start < WINDOW) return wide;
  const middle = cursor && from <= cursor && cursor <= to ? cursor : from + Math.floor((to - from) / 2);
  const start = Math.min(Math.max(middle - WINDOW / 2, wide.start), wide.end + 1 - WINDOW);
  return { start, end: start + WINDOW - 1 };
}

/** "harmonics.py, lines 1–40", as it was chosen. */
export function scopeWords({ path, cursor, selection, viewport }: Focus, scope: FocusScope): string {
  const name = nameOf(path);
  if (scope === 'nothing') return 'No file is sent';
  if (scope === 'whole') return `${name}, whole file`;
  if (scope === 'cursor') return `${name}, around line ${cursor ?? 1}`;
  const lines = scope === 'selection' ? selection : viewport;
  if (!lines) return name;
  return lines.start === lines.end ? `${name}, line ${lines.start}` : `${name}, lines ${lines.start}–${lines.end}`;
}

/** Where the person is, with what they chose to send of it. */
export function withScope(focus: Focus | null, scope: Scope): Focus | null {
  if (!focus || scope === 'auto') return focus;
  return scope === 'selection' && !focus.selection ? focus : { ...focus, scope };
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}
