/** The rows of `docs/coverage.md`, which the tests write from the commands and the routes. Pure. */

/** A command or route, and the action that does the same or the reason for none. */
export interface CoverageRow {
  readonly name: string;
  /** The id of a command; nothing for a route. */
  readonly id: string;
  /** Actions by name; none where there is a reason. */
  readonly actions: readonly string[];
  /** The reason for no action, or words about the actions. */
  readonly words: string;
}

/** Returns the rows between the marks of a section: `commands` or `routes`. */
export function rowsOf(page: string, section: 'commands' | 'routes'): CoverageRow[] {
  const part = page.split(`<!-- ${section} -->`)[1]?.split(`<!-- /${section} -->`)[0] ?? '';
  const lines = part.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('|--'));
  // The first one has the headings.
  return lines.slice(1).map(rowOf);
}

/** Keeps the rows in which all words of a search occur. */
export function searched(rows: readonly CoverageRow[], text: string): CoverageRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ name, id, actions, words: reason }) => {
    const all = `${name} ${id} ${actions.join(' ')} ${reason}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

function rowOf(line: string): CoverageRow {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  const [name = '', ...rest] = cells.slice(1, -1);
  const covered = rest.at(-1) ?? '';
  const actions = [...covered.matchAll(/`([a-z_.]+)`/g)].flatMap(([, action]) => (action ? [action] : []));
  const isAction = /^`[a-z_.]+`(, `[a-z_.]+`)*$/.test(covered);
  return {
    name: plain(name),
    id: rest.length > 1 ? plain(rest[0] ?? '') : '',
    actions: isAction ? actions : [],
    words: isAction ? '' : plain(covered),
  };
}

function plain(cell: string): string {
  return cell.replaceAll('`', '').replaceAll('\\|', '|');
}
