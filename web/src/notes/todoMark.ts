// The checkbox of a todo in its line. Pure.

/** The character between the brackets. */
export interface TodoMark {
  /** Its place in the line. */
  readonly at: number;
  readonly mark: string;
}

const TODO = /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t]+(?!\[.\][ \t]))*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(.)\](?=[ \t]+\S)/u;

/** Finds it; null if the line is no todo. */
export function todoMark(line: string): TodoMark | null {
  const found = TODO.exec(line.split('\n', 1)[0] ?? '');
  const mark = found?.[1];
  return found && mark !== undefined ? { at: found[0].length - 1 - mark.length, mark } : null;
}
