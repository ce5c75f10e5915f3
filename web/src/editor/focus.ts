// Where the person is looking: sent with a message, shown as chips. Written by the focused editor, read by anybody.
//
//   const focus = useFocus((state) => state.focus);     Focus | null: null when no text file has the attention
//   useFocus.getState().focus
import { create } from 'zustand';
import type { Focus } from '../wire/gen/types';

/** The focus of this window. */
export const useFocus = create<{ focus: Focus | null }>(() => ({ focus: null }));
