// Whether the cells of a notebook could be run, as far as Python goes. Pure.
import type { FoundKernels } from '../wire/gen/types';

/** Tells whether a kernel for Python was found. */
export function hasPython({ kernels }: FoundKernels): boolean {
  return kernels.some(({ language }) => language.toLowerCase() === 'python');
}

/** Tells whether a notebook in this language is helped by setting up Python: nothing runs it, and that would. */
export function needsPython(found: FoundKernels, language: string): boolean {
  return found.kernels.length === 0 || (language === 'python' && !hasPython(found));
}
