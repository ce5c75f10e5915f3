// A tab that is pressed. The gesture itself is loaded when the pointer is over a tab.
import type { PointerEvent } from 'react';
import { create } from 'zustand';

/** Where a tab would go. */
export interface Target {
  pane: string;
  place: { kind: 'tabs'; index: number } | { kind: 'pane' } | { kind: 'right' } | { kind: 'below' };
  /** What is marked on the screen. */
  box: { left: number; top: number; width: number; height: number };
}

/** The drag that goes on, for the hint. */
export const useDrag = create<{ target: Target | null }>(() => ({ target: null }));

const load = () => import('./dnd');

/** Loads the gesture: a press may follow. */
export const expectPress = (): void => void load().catch(() => {});

/** Starts watching a press on a tab, unless it is over before the gesture is there. */
export async function pressTab({ button, clientX: x, clientY: y }: PointerEvent, tab: string): Promise<void> {
  if (button !== 0) return;
  let held = true;
  document.addEventListener('pointerup', () => (held = false), { once: true });
  const { startDrag } = await load();
  if (held) startDrag({ x, y }, tab);
}
