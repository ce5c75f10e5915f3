// A value in a tree: what it shows, and what is in it when that is asked for. Pure.

/** The kind of a value. `broken` is where a text can't be read any further. */
export type ValueKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'date' | 'reference' | 'broken';

/** One value. */
export interface ValueNode {
  /** Its name in an object or its number in an array; null at the top. */
  readonly name: string | number | null;
  readonly kind: ValueKind;
  /** Its text: a number as it is written, a string without its quotes. Empty for objects and arrays. */
  readonly text: string;
  /** How many values are in it; null if that is not known before they are read. */
  readonly size: number | null;
  /** Where it begins in the text, in characters; null if that is not known. */
  readonly at: number | null;
  /** The values in it. */
  children(): readonly ValueNode[];
}

/** A row of an opened tree. */
export interface TreeRow {
  readonly node: ValueNode;
  /** Its way from the top: what tells it from others when the text changes. */
  readonly path: string;
  readonly depth: number;
  readonly open: boolean;
}

/** Tells whether a value has others in it. */
export const isContainer = ({ kind }: ValueNode): boolean => kind === 'object' || kind === 'array';

/** The most rows of a tree that are made. */
export const MOST_ROWS = 2_000_000;

/** The rows of a tree, as far as it is opened. Top first. */
export function rowsOf(top: ValueNode, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  // Not recursive: a text can be nested as deep as it is long.
  const waiting: Omit<TreeRow, 'open'>[] = [{ node: top, path: '$', depth: 0 }];
  for (let next = waiting.pop(); next && rows.length < MOST_ROWS; next = waiting.pop()) {
    const isOpen = isContainer(next.node) && open.has(next.path);
    rows.push({ ...next, open: isOpen });
    if (!isOpen) continue;
    const { path, depth, node } = next;
    const children = node.children();
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at] as ValueNode;
      waiting.push({ node: child, path: pathOf(path, child, at), depth: depth + 1 });
    }
  }
  return rows;
}

/** The way to a value as JSONPath writes it; of names that come twice, the second says so. */
function pathOf(parent: string, { name }: ValueNode, at: number): string {
  if (typeof name === 'number' || name === null) return `${parent}[${name ?? at}]`;
  return /^[A-Za-z_]\w*$/.test(name) ? `${parent}.${name}` : `${parent}[${JSON.stringify(name)}]`;
}

/** Everything that is opened down to a depth, as far as it has few enough rows. */
export function openedTo(top: ValueNode, depth: number, most = 20_000): Set<string> {
  const open = new Set<string>();
  let waiting: { node: ValueNode; path: string }[] = [{ node: top, path: '$' }];
  let count = 0;
  for (let level = 0; level < depth && waiting.length > 0; level++) {
    const next: typeof waiting = [];
    for (const { node, path } of waiting) {
      if (!isContainer(node)) continue;
      const children = node.children();
      count += children.length;
      if (count > most) return open;
      open.add(path);
      children.forEach((child, at) => {
        next.push({ node: child, path: pathOf(path, child, at) });
      });
    }
    waiting = next;
  }
  return open;
}

/** The value of a plain program value: what a parser gives that does not say where. */
export function nodeOf(value: unknown, name: string | number | null = null): ValueNode {
  const leaf = (kind: ValueKind, text: string): ValueNode => ({
    name,
    kind,
    text,
    size: null,
    at: null,
    children: () => [],
  });
  if (value === null || value === undefined) return leaf('null', 'null');
  if (value instanceof Date)
    return leaf('date', String(value instanceof Date && 'toISOString' in value ? value.toISOString() : value));
  if (Array.isArray(value)) {
    const children = () => value.map((each, at) => nodeOf(each, at));
    return { name, kind: 'array', text: '', size: value.length, at: null, children };
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value);
    return {
      name,
      kind: 'object',
      text: '',
      size: entries.length,
      at: null,
      children: () => entries.map(([key, each]) => nodeOf(each, key)),
    };
  }
  const kind = typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'boolean' : 'number';
  return leaf(kind, String(value));
}
