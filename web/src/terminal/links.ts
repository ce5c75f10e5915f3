// Places of files in a line of output, such as `src/a.py:12:3`, and which file of the workspace each means. Pure.

/** A place in a line of output. */
export interface FoundPlace {
  /** The first character of the link, and the one after its last. */
  readonly start: number;
  readonly end: number;
  readonly path: string;
  readonly line: number | null;
}

/** How compilers, tests and interpreters write a place; the first that fits a text counts. */
const PLACES: readonly RegExp[] = [
  // Python: File "a.py", line 12
  /File "(?<path>[^"]{1,400})", line (?<line>\d{1,9})/g,
  // TypeScript, MSVC: a.ts(12,3)
  /(?<path>[^\s()'"`:,;]{1,400})\((?<line>\d{1,9})(?:,\d{1,9})?\)/g,
  // grep, gcc, rustc, eslint: a.rs:12:3. A Windows drive is no place.
  /(?<path>[^\s'"`()[\]{}<>:,;|]{1,400}):(?<line>\d{1,9})(?::\d{1,9})?(?![\w/])/g,
  // git, ls: a path by itself.
  /(?<path>[^\s'"`()[\]{}<>:,;|=]{1,400})/g,
];

/** The most characters of a line that are looked at. */
const LONGEST = 4000;

/** Finds the places in a line that mean a file; `fileOf` says which file a written path means, null for none. */
export function placesIn(line: string, fileOf: (path: string) => string | null): FoundPlace[] {
  const places: FoundPlace[] = [];
  for (const pattern of PLACES) {
    for (const match of line.slice(0, LONGEST).matchAll(pattern)) {
      const { path: written = '', line: number } = match.groups ?? {};
      const [start, end] = [match.index, match.index + match[0].length];
      if (places.some((place) => start < place.end && place.start < end)) continue;
      const path = fileOf(trimmed(written));
      if (path === null) continue;
      places.push({
        start,
        end: number ? end : start + trimmed(written).length,
        path,
        line: number ? Number(number) : null,
      });
    }
  }
  return places.toSorted((one, two) => one.start - two.start);
}

/** Without the end of a sentence. */
const trimmed = (path: string): string => path.replace(/[.!?*]+$/, '');

/** The files of a workspace, by how a program may write them. */
export class FilesByName {
  private readonly all: ReadonlySet<string>;
  private readonly byLast = new Map<string, string[]>();

  constructor(paths: readonly string[]) {
    this.all = new Set(paths);
    for (const path of paths) {
      const last = path.slice(path.lastIndexOf('/') + 1);
      const same = this.byLast.get(last);
      if (same) same.push(path);
      else this.byLast.set(last, [path]);
    }
  }

  /**
   * Returns the file that a written path means: from the folder that the shell began in, from the top, or the only one that
   * ends so. An absolute path counts from the folder that has the workspace's name.
   */
  find(written: string, cwd: string, workspace: string): string | null {
    const path = written
      .replace(/^(?:\.\/)+/, '')
      .replace(/^[ab]\/(?=.*\/)/, (start) => (this.all.has(written) ? start : ''));
    if (path.startsWith('/')) return this.absolute(path, workspace);
    if (path === '' || path.startsWith('..')) return null;
    const here = cwd === '' ? path : `${cwd}/${path}`;
    if (this.all.has(here)) return here;
    if (this.all.has(path)) return path;
    const ending = this.byLast.get(path.slice(path.lastIndexOf('/') + 1)) ?? [];
    const fits = ending.filter((each) => each.endsWith(`/${path}`));
    return fits.length === 1 ? (fits[0] as string) : null;
  }

  private absolute(path: string, workspace: string): string | null {
    for (let at = path.indexOf(`/${workspace}/`); at >= 0; at = path.indexOf(`/${workspace}/`, at + 1)) {
      const rest = path.slice(at + workspace.length + 2);
      if (this.all.has(rest)) return rest;
    }
    return null;
  }
}
