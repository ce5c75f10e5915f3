import { describe, expect, it } from 'vitest';
import type { FileEntry } from '../wire/gen/types';
import { type Folder, folderOf, hiddenIn, nameOf, stepFor, typeahead, visibleRows } from './rows';

const entry = (path: string, more: Partial<FileEntry> = {}): FileEntry => ({
  path,
  folder: false,
  size: 1,
  ignored: false,
  link: false,
  ...more,
});
const folder = (path: string, more: Partial<FileEntry> = {}) => entry(path, { folder: true, ...more });
const known = (entries: FileEntry[]): Folder => ({ entries, failure: null });

const folders = new Map([
  ['', known([folder('lib'), folder('out', { ignored: true }), entry('a.py'), entry('about.md')])],
  ['lib', known([entry('lib/b.py')])],
  ['out', known([entry('out/c.log')])],
]);
const drawn = (expanded: string[]) =>
  visibleRows(folders, new Set(expanded)).map((row) => '  '.repeat(row.level - 1) + row.name);

describe('visibleRows', () => {
  it('shows what is in open folders, below them', () => {
    expect(drawn([])).toEqual(['lib', 'a.py', 'about.md', 'Hidden']);
    expect(drawn(['lib'])).toEqual(['lib', '  b.py', 'a.py', 'about.md', 'Hidden']);
    expect(drawn([hiddenIn('')])).toEqual(['lib', 'a.py', 'about.md', 'Hidden', '  out']);
  });

  it('hides folders of git, environments and caches', () => {
    const names = ['.git', '.venv', 'node_modules', 'src', '__pycache__'];
    const rows = visibleRows(new Map([['', known(names.map((name) => folder(name)))]]), new Set());
    expect(rows.map((row) => row.name)).toEqual(['src', 'Hidden']);
    expect(rows.map((row) => [row.position, row.siblings])).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  it('lists everything in an ignored folder', () => {
    const inside = [folder('out/deep', { ignored: true }), entry('out/.keep')];
    const rows = visibleRows(new Map([...folders, ['out', known(inside)]]), new Set([hiddenIn(''), 'out']));
    expect(rows.map((row) => row.name)).toEqual(['lib', 'a.py', 'about.md', 'Hidden', 'out', 'deep', '.keep']);
  });

  it('takes what is in an ignored folder for ignored', () => {
    const rows = visibleRows(folders, new Set([hiddenIn(''), 'out']));
    expect(rows.find((row) => row.path === 'out/c.log')?.ignored).toBe(true);
    expect(rows.find((row) => row.path === 'a.py')?.ignored).toBe(false);
  });

  it('says that a folder is being read', () => {
    const rows = visibleRows(new Map([['', known([folder('lib')])]]), new Set(['lib']));
    expect(rows[0]?.waiting).toBe(true);
  });
});

describe('keys', () => {
  const rows = visibleRows(folders, new Set(['lib']));

  it('open, enter, leave and close a folder', () => {
    expect(stepFor('ArrowRight', visibleRows(folders, new Set()), 0)).toEqual({ expand: 'lib' });
    expect(stepFor('ArrowRight', rows, 0)).toEqual({ go: 1 });
    expect(stepFor('ArrowLeft', rows, 1)).toEqual({ go: 0 });
    expect(stepFor('ArrowLeft', rows, 0)).toEqual({ collapse: 'lib' });
  });

  it('stop at both ends', () => {
    expect(stepFor('ArrowUp', rows, 0)).toBeNull();
    expect(stepFor('ArrowDown', rows, rows.length - 1)).toBeNull();
    expect(stepFor('End', rows, 0)).toEqual({ go: 4 });
  });

  it('find names by their first letters, round the end', () => {
    expect(typeahead(rows, 0, 'a')).toBe(2);
    expect(typeahead(rows, 2, 'a')).toBe(3);
    expect(typeahead(rows, 3, 'a')).toBe(2);
    expect(typeahead(rows, 2, 'ab')).toBe(3);
    expect(typeahead(rows, 0, 'zz')).toBe(-1);
  });
});

it('splits paths', () => {
  expect([nameOf('a/b.py'), folderOf('a/b.py'), folderOf('b.py')]).toEqual(['b.py', 'a', '']);
});
