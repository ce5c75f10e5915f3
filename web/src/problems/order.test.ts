import { expect, test } from 'vitest';
import type { Problem, ProblemSeverity } from '../wire/gen/types';
import { byFile, meant, next } from './order';

const at = (path: string, line: number | null, severity: ProblemSeverity = 'error'): Problem => ({
  path,
  line,
  end_line: null,
  column: null,
  end_column: null,
  severity,
  message: `${path}:${line}`,
  source: 'latex',
  program: null,
  detail: null,
});

test('from the last one it goes on with the first', () => {
  const all = [at('b.tex', 3), at('a.tex', 9), at('a.tex', 2, 'warning')];
  const walk = (path: string, line: number, by: 1 | -1) => next(all, { path, line }, by)?.message;
  expect(walk('a.tex', 2, 1)).toBe('a.tex:9');
  expect(walk('a.tex', 9, 1)).toBe('b.tex:3');
  expect(walk('b.tex', 3, 1)).toBe('a.tex:2');
  expect(walk('a.tex', 2, -1)).toBe('b.tex:3');
  expect(next(all, null, 1)?.message).toBe('a.tex:2');
  expect(next([], null, 1)).toBeUndefined();
});

test('boxes are gone through only where nothing graver is', () => {
  expect(next([at('a.tex', 1, 'badbox'), at('a.tex', 5)], { path: 'a.tex', line: 0 }, 1)?.line).toBe(5);
  expect(next([at('a.tex', 1, 'badbox')], null, 1)?.line).toBe(1);
});

test('files come in the order of their gravest problem', () => {
  expect(byFile([at('b', 1), at('a', 1), at('b', 2)]).map(([path, list]) => [path, list.length])).toEqual([
    ['b', 2],
    ['a', 1],
  ]);
});

test('the problem of the line is meant, else the gravest', () => {
  const all = [at('a.py', 2), { ...at('a.py', 7, 'warning'), end_line: 9 }, at('a.py', null)];
  expect(meant(all, 8)?.line).toBe(7);
  expect(meant(all, 4)?.line).toBe(2);
  expect(meant(all, undefined)?.line).toBe(2);
  expect(meant([], 1)).toBeUndefined();
});
