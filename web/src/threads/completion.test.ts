import { expect, test } from 'vitest';
import type { Problem, Thread } from '../wire/gen/types';
import { candidates, completed, type Sources, tokenAt } from './completion';

const problem: Problem = {
  path: 'paper.tex',
  line: 12,
  end_line: null,
  column: null,
  end_column: null,
  severity: 'error',
  message: 'Undefined control sequence',
  source: 'latex',
  program: null,
  detail: '! Undefined control sequence.',
};
const sources: Sources = {
  words: [
    { name: 'explain', summary: 'Explain it' },
    { name: 'fix', summary: 'Mend it' },
  ],
  focus: { path: 'a.py', selection: { start: 1, end: 2 } },
  problems: [problem],
  threads: [{ id: 'thr_1', title: 'Rename ht' } as Thread],
  files: ['src/model.py', 'two words.txt'],
};

test('a slash starts text, an @ words', () => {
  expect(tokenAt('/fi', 3)).toEqual({ kind: 'slash', from: 0, query: 'fi' });
  expect(tokenAt('say /fi', 7)).toBeNull();
  expect(tokenAt('/fix it', 7)).toBeNull();
  expect(tokenAt('look at @mod', 12)).toEqual({ kind: 'mention', from: 8, query: 'mod' });
  expect(tokenAt('bob@example', 11)).toBeNull();
});

test('the token filters commands, files, problems and threads', () => {
  const found = (text: string) => {
    const token = tokenAt(text, text.length);
    return token ? candidates(token, sources).map((each) => each.label) : [];
  };
  expect(found('/f')).toEqual(['/fix']);
  expect(found('@model')).toEqual(['@model.py']);
  expect(found('@prob')).toEqual(['@problem paper.tex:12']);
  expect(found('@rename')).toEqual(['@thread Rename ht']);
  // Letters that only come in this order, as those in `model`, are no match.
  expect(found('@sel')).toEqual(['@selection']);
  expect(found('@')).toHaveLength(5);
});

test('files and commands insert text, attachments do not', () => {
  const choose = (text: string) => {
    const token = tokenAt(text, text.length);
    const [first] = token ? candidates(token, sources) : [];
    return token && first ? completed(text, token, first) : null;
  };
  expect(choose('see @model')).toEqual({ text: 'see @src/model.py ', caret: 18 });
  expect(choose('see @two')).toEqual({ text: 'see @"two words.txt" ', caret: 21 });
  expect(choose('/fi')).toEqual({ text: '/fix ', caret: 5 });
  expect(choose('see @prob')).toEqual({ text: 'see ', caret: 4 });
});

test('a problem attaches as program output', () => {
  const [first] = candidates({ kind: 'mention', from: 0, query: 'undefined' }, sources);
  expect(first?.attach).toEqual({
    kind: 'data',
    label: 'Problem at paper.tex:12',
    from: 'output of a LaTeX build',
    text: 'paper.tex:12: error: Undefined control sequence\n! Undefined control sequence.',
  });
});
