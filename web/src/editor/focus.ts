// Where the person is looking: sent with a message, shown as chips. Written by the focused editor, read by anybody.
//
//   const focus = useFocus((state) => state.focus);     Focus | null: null when no text file has the attention
//   useFocus.getState().focus
import { create } from 'zustand';
import type { Focus } from '../wire/gen/types';

/** How long a text is, as the server counts: what ends the last line begins no other. */
export interface TextSize {
  readonly lines: number;
  readonly bytes: number;
}

interface Looked {
  readonly focus: Focus | null;
  /** Of the text that has the focus; null where that is none, as in a notebook. */
  readonly size: TextSize | null;
}

/** The focus of this window. */
export const useFocus = create<Looked>(() => ({ focus: null, size: null }));

/** Milliseconds without a change after which the size of the text is told, so that not each key draws it. */
const REST = 400;

let resting: ReturnType<typeof setTimeout> | undefined;

/** Says where the person is looking; nothing happens if that is known. */
export function setFocus(focus: Focus | null, size: TextSize | null = null): void {
  clearTimeout(resting);
  const before = useFocus.getState();
  const isThere = JSON.stringify(focus) === JSON.stringify(before.focus);
  if (isThere && JSON.stringify(size) === JSON.stringify(before.size)) return;
  if (isThere && size && before.size) resting = setTimeout(() => useFocus.setState({ size }), REST);
  else useFocus.setState({ focus, size });
}
