/** The row that a press means when rows have just changed under it. Pure. */
import type { PaletteEntry } from './entries';

/** Milliseconds that a person needs to see that the rows have changed: a press before that means the rows from before. */
export const REACTION = 350;

/** The rows that were there until the last change that no letter of the person has made. */
export interface RowsBefore {
  readonly entries: readonly PaletteEntry[];
  /** The row that was chosen among them. */
  readonly at: number;
  /** When they were replaced, in milliseconds. */
  readonly until: number;
  /** How long they were shown, in milliseconds. */
  readonly shown: number;
}

/** The entry that a press of Enter means: the chosen one, or the one that was chosen when the finger went down. */
export function entered(
  entries: readonly PaletteEntry[],
  at: number,
  before: RowsBefore | null,
  now: number,
): PaletteEntry | undefined {
  return wasMeant(before, before?.at ?? 0, now) ?? entries[at];
}

/** The entry that a click on the row `index` means: what is there, or what was there when the hand went for it. */
export function clicked(
  entries: readonly PaletteEntry[],
  index: number,
  before: RowsBefore | null,
  now: number,
): PaletteEntry | undefined {
  return wasMeant(before, index, now) ?? entries[index];
}

function wasMeant(before: RowsBefore | null, index: number, now: number): PaletteEntry | undefined {
  // Rows that nobody has had the time to read were not meant either.
  if (!before || now - before.until > REACTION || before.shown < REACTION) return undefined;
  const entry = before.entries[index];
  // To ask a model is what remains where nothing else is understood: by now something is.
  return entry?.choice.kind === 'ask' ? undefined : entry;
}
