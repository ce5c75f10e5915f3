import { expect, test } from 'vitest';
import { find, parseDeclarations, signature } from './declarations';
import { SAMPLE } from './sample';

const all = parseDeclarations(SAMPLE);

test('nouns, actions and arguments form a tree', () => {
  expect(all.map(({ name, kind }) => `${kind} ${name}`)).toEqual(['noun file', 'noun ui', 'action sleep']);
  expect(find(all, ['file', 'create'])).toMatchObject({ doc: 'Creates a file.', optional: false });
  expect(find(all, ['file', 'create', 'path'])).toMatchObject({
    doc: 'The path */ in the workspace.',
    type: 'string',
    optional: false,
  });
  expect(find(all, ['file', 'create', 'mode'])).toMatchObject({ type: '"new" | "replace"', optional: true });
  expect(find(all, ['file', 'create', 'edits', 'old-text'])?.type).toBe('string');
  expect(find(all, ['file', 'create', 'edits'])?.type).toBe('{…}[]');
  expect(find(all, ['ui', 'tabs', 'close'])).toMatchObject({ kind: 'action', optional: true });
  expect(find(all, ['file', 'nothing'])).toBeUndefined();
});

test('signatures name the arguments', () => {
  const of = (...path: string[]) => signature(path, find(all, path) as NonNullable<ReturnType<typeof find>>);
  expect(of('file', 'create')).toBe('file.create({ count?, edits?, mode?, path })');
  expect(of('ui', 'tabs', 'close')).toBe('ui.tabs.close()');
  expect(of('sleep')).toBe('sleep(number)');
});

test('texts without declarations give nothing', () => {
  expect(parseDeclarations('')).toEqual([]);
  expect(parseDeclarations('declare const aside: {\n  readonly file: {\n')).toEqual([]);
});
