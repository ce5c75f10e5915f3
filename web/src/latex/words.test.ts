import { expect, test } from 'vitest';
import type { LatexBuild } from '../wire/gen/types';
import { builtWords, tookWords } from './words';

const build = (part: Partial<LatexBuild>): LatexBuild => ({
  main: 'a.tex',
  action: 'act_1',
  end: 'done',
  at: 0,
  duration_ms: 2140,
  errors: 0,
  warnings: 0,
  pdf: null,
  ...part,
});

test('an end is said in as few words as say it', () => {
  expect(builtWords(build({}))).toBe('Built');
  expect(builtWords(build({ warnings: 1 }))).toBe('Built, 1 warning');
  expect(builtWords(build({ end: 'failed', errors: 3, warnings: 2 }))).toBe('3 errors');
  expect(builtWords(build({ end: 'failed' }))).toBe('Failed');
  expect(tookWords(build({}))).toBe('in 2.1 s');
});
