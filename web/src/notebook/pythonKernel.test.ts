import { expect, it } from 'vitest';
import type { FoundKernel, FoundKernels } from '../wire/gen/types';
import { hasPython, needsPython } from './pythonKernel';

const found = (...languages: string[]): FoundKernels => ({
  kernels: languages.map((language) => ({ name: language, language }) as FoundKernel),
  without_kernel: [],
  problems: [],
});

it('offers Python where nothing runs, and where only another language does', () => {
  expect(needsPython(found(), 'python')).toBe(true);
  expect(needsPython(found('R'), 'python')).toBe(true);
  expect(needsPython(found('R'), 'r')).toBe(false);
  expect(needsPython(found('R', 'Python'), 'python')).toBe(false);
  expect([hasPython(found('R')), hasPython(found('R', 'python'))]).toEqual([false, true]);
});
