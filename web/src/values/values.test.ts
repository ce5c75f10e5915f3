import { describe, expect, it } from 'vitest';
import { faultIn, jsonLines, jsonTree, placeOf } from './json';
import { nodeOf, openedTo, rowsOf, type ValueNode } from './node';
import { readValues } from './read';

/** A tree as plain values; numbers as they are written. */
function plain(node: ValueNode): unknown {
  if (node.kind === 'array') return node.children().map(plain);
  if (node.kind === 'object') return Object.fromEntries(node.children().map((child) => [child.name, plain(child)]));
  return node.kind === 'string' ? node.text : `${node.kind} ${node.text}`;
}

function fault(text: string, top = jsonTree(text)) {
  const work = faultIn(text, top);
  for (;;) {
    const { value, done } = work.next();
    if (done) return value;
  }
}

describe('JSON', () => {
  it('keeps what is written', () => {
    const text = '{"id": 12345678901234567890, "x": [1.0, -2e5, true, null], "s": "a\\"\\u00e9\\n}", "": {}}';
    expect(plain(jsonTree(text))).toEqual({
      id: 'number 12345678901234567890',
      x: ['number 1.0', 'number -2e5', 'boolean true', 'null null'],
      s: 'a"é\n}',
      '': {},
    });
    expect(fault(text)).toBeNull();
  });

  it('may have comments and trailing commas', () => {
    const text = "// settings\n{a: 'it''s', /* ] */ 'b': [1, 0xff,], \"u\": \"http://x\",}";
    expect(plain(jsonTree(text.replace("it''s", "it\\'s")))).toEqual({
      a: "it's",
      b: ['number 1', 'number 0xff'],
      u: 'http://x',
    });
  });

  it('keeps the readable part of broken text', () => {
    const text = '{"a": 1,\n "b": [1, 2 3],\n "c": 4}';
    expect(fault(text)).toMatchObject({ line: 2, column: 13 });
    const [, b] = jsonTree(text).children();
    expect(b?.children().map(({ kind }) => kind)).toEqual(['number', 'number', 'broken']);
    expect(fault('{"a": ')?.line).toBe(1);
    expect(fault('[1] 2')).toMatchObject({ line: 1, column: 5 });
    for (const wrong of ['', 'nonsense', '{', '"open', '{"a" 1}', '[,]']) expect(fault(wrong), wrong).not.toBeNull();
  });

  it('may be nested deeply', () => {
    const depth = 100_000;
    const text = '['.repeat(depth) + ']'.repeat(depth);
    expect(jsonTree(text).kind).toBe('array');
    expect(openedTo(jsonTree(text), 50).size).toBe(50);
  });

  it('of lines has a value in each', () => {
    const text = '{"a": 1}\n\n[2]\nbroken}\n{"b": 3} rest\n';
    const lines = jsonLines(text).children();
    expect(lines.map(({ kind, at }) => [kind, at])).toEqual([
      ['object', 0],
      ['array', 10],
      ['broken', 14],
      ['broken', 22],
    ]);
    expect(placeOf(text, 14)).toMatchObject({ line: 4, column: 1 });
  });
});

describe('rows', () => {
  const top = nodeOf({ a: [1, { b: true }], 'c d': 'x' });

  it('are those that are opened', () => {
    const paths = (open: string[]) => rowsOf(top, new Set(open)).map(({ path }) => path);
    expect(paths([])).toEqual(['$']);
    expect(paths(['$'])).toEqual(['$', '$.a', '$["c d"]']);
    expect(paths(['$', '$.a', '$.a[1]'])).toEqual(['$', '$.a', '$.a[0]', '$.a[1]', '$.a[1].b', '$["c d"]']);
  });

  it('are opened down to a depth', () => {
    expect([...openedTo(top, 2)]).toEqual(['$', '$.a']);
    expect([...openedTo(nodeOf(Array.from({ length: 100 }, () => [1])), 2, 50)]).toEqual([]);
  });
});

describe('YAML', () => {
  it('keeps references', async () => {
    const { top } = await readValues('base: &b {x: 1}\nother: *b\nlist:\n  - yes\n  - 2.50\n  - ~\n', 'a.yml');
    expect(plain(top)).toEqual({
      base: { x: 'number 1' },
      other: 'reference *b',
      list: ['yes', 'number 2.50', 'null ~'],
    });
    expect(top.children()[1]?.at).toBe(23);
  });

  it('says what is wrong and where', async () => {
    const { fault } = await readValues('a: 1\nb: [1, 2\nc: 3\n', 'a.yaml');
    expect(fault).toMatch(/line \d/);
  });

  it('of several documents is a list', async () => {
    const { top } = await readValues('a: 1\n---\nb: 2\n', 'a.yaml');
    expect(plain(top)).toEqual([{ a: 'number 1' }, { b: 'number 2' }]);
  });
});

describe('TOML', () => {
  it('is read', async () => {
    const { top } = await readValues('title = "x"\n[owner]\nborn = 1979-05-27\nbig = 9007199254740993\n', 'a.toml');
    expect(plain(top)).toEqual({ title: 'x', owner: { born: 'date 1979-05-27', big: 'number 9007199254740993' } });
  });

  it('says what is wrong and where', async () => {
    await expect(readValues('a = \n', 'a.toml')).rejects.toThrow(/line 1/);
  });
});
