import { create } from 'zustand';
import type { InstructionsAt } from '../wire/gen/types';

/** The standing instructions that are left out of a conversation that has not begun. */
export const useNewWithout = create<{ readonly without: readonly InstructionsAt[] }>(() => ({ without: [] }));
