/** The value of a script as a table, where it is one. Pure. */

/** A table of texts. */
export interface Rows {
  readonly columns: readonly string[];
  readonly cells: readonly (readonly string[])[];
}

const MOST_ROWS = 1000;
const MOST_COLUMNS = 20;

/** The rows of a list of flat objects; null for all else. */
export function rowsOf(value: unknown): Rows | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_ROWS) return null;
  if (!value.every(isFlat)) return null;
  const columns = [...new Set(value.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > MOST_COLUMNS) return null;
  return { columns, cells: value.map((row) => columns.map((column) => textOf(row[column]))) };
}

function isFlat(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((each) => typeof each !== 'object' || each === null);
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
