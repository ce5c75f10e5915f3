import { expect, it } from 'vitest';
import type { KernelState, RunningKernel } from '../wire/gen/types';
import { idleWords, othersOf } from './runningKernels';

const kernel = (path: string, state: KernelState, used: number) => ({ path, state, used }) as RunningKernel;

it('names those of other notebooks, what has idled longest first', () => {
  const all = [
    kernel('here.ipynb', 'idle', 1),
    kernel('works.ipynb', 'busy', 1),
    kernel('late.ipynb', 'idle', 9),
    kernel('old.ipynb', 'idle', 2),
  ];
  expect(othersOf(all, 'here.ipynb').map(({ path }) => path)).toEqual(['old.ipynb', 'late.ipynb', 'works.ipynb']);
});

it('says how long one has idled', () => {
  const ago = (then: number) => (then === 9 ? 'now' : '3 h');
  expect(idleWords(kernel('a', 'idle', 1), ago)).toBe('idle for 3 h');
  expect(idleWords(kernel('a', 'idle', 9), ago)).toBe('idle');
  expect(idleWords(kernel('a', 'busy', 1), ago)).toBe('busy');
});
