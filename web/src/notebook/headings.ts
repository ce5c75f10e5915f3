// The outline of a notebook: headings in its Markdown cells, and what a collapsed one hides. Pure.

/** A heading. */
export interface Heading {
  readonly key: string;
  /** 1 to 6. */
  readonly level: number;
  readonly text: string;
}

/** The headings of a Markdown text, in order. */
export function headingsIn(key: string, source: string): Heading[] {
  const found: Heading[] = [];
  let fence: string | null = null;
  for (const line of source.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    const heading = fence === null ? /^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*$/.exec(line) : null;
    if (heading) found.push({ key, level: heading[1]?.length ?? 1, text: plain(heading[2] ?? '') });
  }
  return found;
}

/** The level of the heading with which a cell begins a section; null for a cell that begins none. */
export function levelOf(kind: string, source: string): number | null {
  if (kind !== 'markdown') return null;
  const levels = headingsIn('', source).map(({ level }) => level);
  return levels.length === 0 ? null : Math.min(...levels);
}

/** What decides what a collapsed heading hides. */
export interface Section {
  readonly key: string;
  readonly level: number | null;
  readonly collapsed: boolean;
}

/** Returns the cells that are under a collapsed heading, and how many each of these hides. */
export function hiddenBy(cells: readonly Section[]): { hidden: Set<string>; counts: Map<string, number> } {
  const hidden = new Set<string>();
  const counts = new Map<string, number>();
  let under: { key: string; level: number } | null = null;
  for (const { key, level, collapsed } of cells) {
    if (under && level !== null && level <= under.level) under = null;
    if (under) {
      hidden.add(key);
      counts.set(under.key, (counts.get(under.key) ?? 0) + 1);
    } else if (collapsed && level !== null) under = { key, level };
  }
  return { hidden, counts };
}

function plain(words: string): string {
  return words
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]+/g, '')
    .trim();
}
