// Where columns and cells of a grid are, and where a key leads. Pure but for the scrolling of a column into sight.
import type { CSSProperties, KeyboardEvent } from 'react';
import type { TableColumn } from '../wire/gen/types';

/** A cell by its place in what is shown. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** Pixels of a letter, beside the letters of a column, and of the row numbers. */
const LETTER = 7.4;
const BESIDE = 20;
export const NUMBERS = 64;

/** Where each column begins, and where the last one ends, in pixels. */
export function leftsOf(columns: readonly TableColumn[]): number[] {
  const lefts = [NUMBERS];
  for (const { width } of columns) lefts.push((lefts.at(-1) as number) + Math.round(width * LETTER + BESIDE));
  return lefts;
}

/** The place of a column in its row. */
export function box(lefts: readonly number[], column: number): CSSProperties {
  const left = lefts[column] as number;
  return { left, width: (lefts[column + 1] as number) - left };
}

/** Scrolls until a column is in sight. */
export function revealColumn(element: HTMLElement | null, lefts: readonly number[], column: number): void {
  if (!element) return;
  const [left, right] = [lefts[column] as number, lefts[column + 1] as number];
  if (left - NUMBERS < element.scrollLeft) element.scrollLeft = left - NUMBERS;
  else if (right > element.scrollLeft + element.clientWidth) element.scrollLeft = right - element.clientWidth;
}

/** The cell that a key leads to; null for other keys. It may be beyond the last. */
export function cellAfter(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  { row, column }: CellPlace,
  page: number,
  rows: number,
  columns: number,
): CellPlace | null {
  const far = ctrlKey || metaKey;
  switch (key) {
    case 'ArrowDown':
      return { row: far ? rows - 1 : row + 1, column };
    case 'ArrowUp':
      return { row: far ? 0 : row - 1, column };
    case 'ArrowRight':
      return { row, column: far ? columns - 1 : column + 1 };
    case 'ArrowLeft':
      return { row, column: far ? 0 : column - 1 };
    case 'PageDown':
      return { row: row + page, column };
    case 'PageUp':
      return { row: row - page, column };
    case 'Home':
      return { row: far ? 0 : row, column: 0 };
    case 'End':
      return { row: far ? rows - 1 : row, column: columns - 1 };
    default:
      return null;
  }
}
