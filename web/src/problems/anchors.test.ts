import { expect, test } from 'vitest';
import * as Y from 'yjs';
import type { Problem } from '../wire/gen/types';
import { anchor } from './anchors';
import { placed } from './places';

const problem = (line: number | null, rest: Partial<Problem> = {}): Problem => ({
  path: 'main.tex',
  line,
  end_line: null,
  column: null,
  end_column: null,
  severity: 'error',
  message: 'no such name',
  source: 'latex',
  program: null,
  detail: null,
  ...rest,
});

function textOf(content: string): Y.Text {
  const text = new Y.Doc().getText('text');
  text.insert(0, content);
  return text;
}

test('a problem goes where its line goes', () => {
  const text = textOf('one\ntwo\nthree\n');
  const [second, range, server, nowhere] = [
    problem(2),
    problem(2, { end_line: 3, source: 'shell' }),
    problem(2, { source: 'language_server' }),
    problem(null),
  ];
  const all = [second, range, server, nowhere];
  anchor('main.tex', text, all);
  text.insert(0, 'zero\n');
  text.insert(text.toString().indexOf('two'), '\n');
  expect(all.map((one) => placed(one).line)).toEqual([4, 4, 2, null]);
  expect(placed(range).end_line).toBe(5);
  // What was told once more is not taken for a problem of the text as it is now.
  anchor('main.tex', text, [problem(2)]);
  expect(placed(problem(2)).line).toBe(4);
  // The same place is not gone through twice.
  anchor('main.tex', text, [problem(2), problem(4)]);
  text.insert(0, '\n');
  expect([placed(problem(4)).line, placed(placed(problem(2))).line]).toEqual([5, 5]);
});

test('a problem that is told where it stands by now is the same one', () => {
  const text = textOf('one\ntwo\n');
  const found = problem(2, { version: 'v' });
  anchor('main.tex', text, [found]);
  text.insert(0, '\n');
  anchor('main.tex', text, [{ ...found, found_line: 2, line: 3 }]);
  text.insert(0, '\n');
  expect([placed(found).line, placed({ ...found, found_line: 2, line: 3 }).line]).toEqual([4, 4]);
  // A window that hears of it only now takes it for where it is told.
  anchor('main.tex', text, []);
  anchor('main.tex', text, [{ ...found, found_line: 2, line: 4 }]);
  expect(placed({ ...found, found_line: 2, line: 4 }).line).toBe(4);
});

test('what is told no more is let go, and what is of another file is left', () => {
  const [text, other] = [textOf('one\ntwo\n'), textOf('one\ntwo\n')];
  anchor('other.tex', other, [problem(1, { path: 'other.tex' })]);
  anchor('main.tex', text, [problem(1)]);
  for (const each of [text, other]) each.insert(0, '\n');
  anchor('main.tex', text, []);
  expect(placed(problem(1)).line).toBe(1);
  expect(placed(problem(1, { path: 'other.tex' })).line).toBe(2);
});

test('a text that was closed and opened again is the same one', () => {
  const text = textOf('one\ntwo\n');
  anchor('main.tex', text, [problem(2)]);
  text.insert(0, '\n\n');
  const again = new Y.Doc();
  Y.applyUpdate(again, Y.encodeStateAsUpdate(text.doc as Y.Doc));
  anchor('main.tex', again.getText('text'), [problem(2)]);
  again.getText('text').insert(0, '\n');
  expect(placed(problem(2)).line).toBe(5);
  anchor('main.tex', textOf('another\nhistory\n'), [problem(2)]);
  expect(placed(problem(2)).line).toBe(2);
});
