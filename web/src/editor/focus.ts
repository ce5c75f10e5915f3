// Where the person is looking: sent with a message, shown as chips. Written by the focused editor, read by anybody.
//
//   const focus = useFocus((state) => state.focus);     Focus | null: null when no text file has the attention
//   useFocus.getState().focus
import { create } from 'zustand';
import type { Focus } from '../wire/gen/types';

/** The focus of this window. */
export const useFocus = create<{ focus: Focus | null }>(() => ({ focus: null }));

/** Says where the person is looking; nothing happens if that is known. */
export function setFocus(focus: Focus | null): void {
  if (JSON.stringify(focus) !== JSON.stringify(useFocus.getState().focus)) useFocus.setState({ focus });
}
