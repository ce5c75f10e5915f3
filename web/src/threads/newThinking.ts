import { create } from 'zustand';
import type { ThinkingEffort } from '../wire/gen/types';

/** How much the model thinks in a conversation that has not begun. */
export const useNewThinking = create<{ readonly thinking: ThinkingEffort }>(() => ({ thinking: 'usual' }));
