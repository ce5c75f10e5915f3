// The two texts of a comparison, as they stand in a link and on a tab. Pure.
//
//   from=src/a.py&to=src/b.py                     two files
//   from=src/a.py&from_version=ID&to=src/a.py     a file as it was, and as it is

/** A file, or one of its saved versions. */
export interface Compared {
  readonly path: string;
  readonly version?: string;
}

/** Two of them: what was, and what is. */
export interface Comparison {
  readonly from: Compared;
  readonly to: Compared;
}

/** Writes a comparison for a link. */
export function writeComparison({ from, to }: Comparison): string {
  const query = new URLSearchParams({ from: from.path, to: to.path });
  if (from.version) query.set('from_version', from.version);
  if (to.version) query.set('to_version', to.version);
  return query.toString();
}

/** Reads a comparison from a link; a side that it does not name is empty. */
export function readComparison(text: string): Comparison {
  const query = new URLSearchParams(text);
  const side = (name: 'from' | 'to'): Compared => {
    const version = query.get(`${name}_version`);
    return { path: query.get(name) ?? '', ...(version && { version }) };
  };
  return { from: side('from'), to: side('to') };
}

/** The words on the tab of a comparison. */
export function comparisonTitle(text: string): string {
  const { from, to } = readComparison(text);
  const [one, two] = [nameIn(from.path), nameIn(to.path)];
  if (from.path === to.path) return `${one}: versions`;
  return one === two ? `${from.path} ↔ ${to.path}` : `${one} ↔ ${two}`;
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
