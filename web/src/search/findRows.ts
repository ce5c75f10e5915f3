// The rows of *Find in files*: a file, then its lines. Pure.
import type { FoundFile, FoundLine } from '../wire/gen/types';

/** The file, or the lines of it, that the person took away. */
export type Dismissed = ReadonlyMap<string, 'file' | ReadonlySet<number>>;

/** Nothing was taken away. */
export const NOTHING_DISMISSED: Dismissed = new Map();

/** A file, or one of its lines. */
export type FindRow =
  | {
      readonly id: string;
      readonly kind: 'file';
      readonly path: string;
      readonly count: number;
      readonly more: boolean;
      readonly open: boolean;
    }
  | { readonly id: string; readonly kind: 'line'; readonly path: string; readonly found: FoundLine };

/** Files as the explorer has them: they are found in no order. */
export function inOrder(files: readonly FoundFile[]): FoundFile[] {
  const key = ({ path }: FoundFile) => path.toLowerCase();
  return files.toSorted((one, two) => (key(one) < key(two) ? -1 : Number(key(one) > key(two))));
}

/** The rows to show. */
export function findRows(
  files: readonly FoundFile[],
  folded: ReadonlySet<string>,
  dismissed: Dismissed,
): readonly FindRow[] {
  const rows: FindRow[] = [];
  for (const { path, lines, more } of files) {
    const gone = dismissed.get(path);
    if (gone === 'file') continue;
    const shown = gone ? lines.filter(({ line }) => !gone.has(line)) : lines;
    if (shown.length === 0) continue;
    const open = !folded.has(path);
    rows.push({ id: path, kind: 'file', path, count: shown.length, more, open });
    // In a notebook the lines of a cell have its number.
    if (open) {
      shown.forEach((found, at) => {
        rows.push({ id: `${path}:${found.line}:${at}`, kind: 'line', path, found });
      });
    }
  }
  return rows;
}

/** Takes a row away. */
export function dismiss(dismissed: Dismissed, row: FindRow): Dismissed {
  const gone = dismissed.get(row.path);
  if (row.kind === 'file') return new Map(dismissed).set(row.path, 'file');
  const lines = gone instanceof Set ? gone : [];
  return new Map(dismissed).set(row.path, new Set([...lines, row.found.line]));
}

/** The same, as the action for replacing wants it. */
export function exceptOf(dismissed: Dismissed): { path: string; lines?: number[] }[] {
  return [...dismissed].map(([path, gone]) => (gone === 'file' ? { path } : { path, lines: [...gone] }));
}

/** The row of the next line from a row on, or of the one before; undefined if there is none. */
export function nextLine(rows: readonly FindRow[], id: string | null, step: 1 | -1): FindRow | undefined {
  const at = rows.findIndex((row) => row.id === id);
  const rest = step > 0 ? rows.slice(at + 1) : rows.slice(0, Math.max(0, at)).toReversed();
  return (
    rest.find(({ kind }) => kind === 'line') ??
    (step > 0 ? rows : rows.toReversed()).find(({ kind }) => kind === 'line')
  );
}
