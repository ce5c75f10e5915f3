import { describe, expect, it } from 'vitest';
import { type Dialect, dialectOf, RowIndex } from './csv';
import { toUtf8 } from './encoding';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const COMMA: Dialect = { delimiter: 0x2c, quotes: true };

/** All fields, scanned `step` bytes at a time. */
function read(text: string, step = 1_000, dialect = COMMA): string[][] {
  const index = new RowIndex(bytesOf(text), dialect);
  while (!index.done) index.scan(step);
  return Array.from({ length: index.count }, (_, row) => index.fields(row, 0, 100, 1000));
}

describe('rows and fields', () => {
  it('are read in any step', () => {
    const text = 'a,b\r\n"1,5","say ""hi"""\n,\nlast,"two\nlines"';
    const rows = [
      ['a', 'b'],
      ['1,5', 'say "hi"'],
      ['', ''],
      ['last', 'two\nlines'],
    ];
    for (const step of [1, 2, 3, 7, 1000]) expect(read(text, step), `step ${step}`).toEqual(rows);
  });

  it('end with any line end', () => {
    expect(read('a\rb\r\nc\nd\n')).toEqual([['a'], ['b'], ['c'], ['d']]);
    expect(read('')).toEqual([]);
    expect(read('a\n\nb')).toEqual([['a'], [''], ['b']]);
  });

  it('keep a quote that never ends', () => {
    const index = new RowIndex(bytesOf('a,b\nc,"open\nd,e\n'), COMMA);
    while (!index.done) index.scan(4);
    expect(index.openQuote).toBe(1);
    expect([0, 1, 2].map((row) => index.fields(row, 0, 9, 100))).toEqual([
      ['a', 'b'],
      ['c', '"open'],
      ['d', 'e'],
    ]);
  });

  it('keep quotes within a field', () => {
    expect(read('5" pipe,6" pipe\n')).toEqual([['5" pipe', '6" pipe']]);
  });

  it('cut long fields', () => {
    const index = new RowIndex(bytesOf(`${'x'.repeat(5000)},y\n"${'ü'.repeat(500)}",z`), COMMA);
    index.scan(10_000);
    expect(index.field(0, 0, 10)).toBe(`${'x'.repeat(10)}…`);
    expect(index.field(0, 1, 10)).toBe('y');
    expect(index.field(1, 0, 10)).toBe('üüüü…');
  });

  it('know their number', () => {
    const index = new RowIndex(bytesOf('a,b,c\n"x,y"\n'), COMMA);
    index.scan(100);
    expect([index.fieldCount(0), index.fieldCount(1), index.field(1, 5, 10)]).toEqual([3, 1, '']);
  });
});

describe('the delimiter', () => {
  it('is guessed from name and lines', () => {
    const of = (text: string, path = 'a.csv') => String.fromCharCode(dialectOf(bytesOf(text), path).delimiter);
    expect(of('a;b;c\n1,5;2;3\n')).toBe(';');
    expect(of('a\tb\n1\t2\n')).toBe('\t');
    expect(of('a|b\n1|2\n')).toBe('|');
    expect(of('one\ntwo\n')).toBe(',');
    expect(of('"a;b",c\n"d;e",f\n')).toBe(',');
    expect(of('a,b', 'x.TSV')).toBe('\t');
  });
});

describe('other encodings', () => {
  it('become UTF-8', () => {
    const text = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes);
    const latin = toUtf8(new Uint8Array([0x63, 0x61, 0x66, 0xe9]));
    expect([latin.encoding, text(latin)]).toEqual(['Windows-1252', 'café']);
    const utf16 = toUtf8(new Uint8Array([0xff, 0xfe, 0x61, 0, 0xe9, 0]));
    expect([utf16.encoding, text(utf16)]).toEqual(['UTF-16', 'aé']);
    const marked = toUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]));
    expect([marked.encoding, text(marked)]).toEqual(['UTF-8', 'a']);
  });
});
