/** What edits made in threads have left of a file's lines. Pure. */
import type { ActionId, LineRange, ThreadEdit, WorkspacePath } from '../wire/gen/types';

/** Where it is asked what edits of threads have left of a file. */
export function editsPath(path: WorkspacePath): string {
  return `threads/edits?path=${encodeURIComponent(path)}`;
}

/** The first line that an action, or its parts, left. */
export function firstLine(action: ActionId, edits: readonly ThreadEdit[]): number | null {
  const own = edits.filter((edit) => edit.action === action || edit.parent === action);
  const lines = own.flatMap((edit) => edit.lines.map(({ start }) => start));
  return lines.length === 0 ? null : Math.min(...lines);
}

/** The latest edit of each thread that left something in these lines. */
export function touching(lines: LineRange, edits: readonly ThreadEdit[]): ThreadEdit[] {
  const threads = new Set<string>();
  return edits.filter((edit) => {
    const isNew = !threads.has(edit.thread) && edit.lines.some((left) => meets(lines, left));
    if (isNew) threads.add(edit.thread);
    return isNew;
  });
}

/** An empty place is between the line before it and its own. */
function meets(lines: LineRange, left: LineRange): boolean {
  const from = Math.min(left.end, left.start);
  const to = Math.max(left.end, left.start);
  return from <= lines.end && to >= lines.start;
}
