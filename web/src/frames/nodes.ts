// Replacing, inserting and removing panes in the tree. Pure.
import type { Frame, Pane, Split } from './tree';

/** The tree with a pane in place of the one that has its id. */
export function replacePane(frame: Frame, pane: Pane): Frame {
  if (frame.kind === 'pane') return frame.id === pane.id ? pane : frame;
  return { ...frame, frames: frame.frames.map((child) => replacePane(child, pane)) };
}

/** The tree without a pane; a split with one frame left becomes that frame. Null when nothing is left. */
export function removePane(frame: Frame, id: string): Frame | null {
  if (frame.kind === 'pane') return frame.id === id ? null : frame;
  const kept = frame.frames.map((child) => removePane(child, id));
  const frames = kept.filter((child) => child !== null);
  const sizes = shares(frame.sizes.filter((_, index) => kept[index] !== null));
  return frames.length > 1 ? { ...frame, frames, sizes } : (frames[0] ?? null);
}

/** The tree with a pane after `beside`: in its split if that has the direction, else in a new one. */
export function insertBeside(
  frame: Frame,
  beside: string,
  direction: Split['direction'],
  added: Pane,
  newSplit: string,
): Frame {
  if (frame.kind === 'pane') {
    if (frame.id !== beside) return frame;
    return { kind: 'split', id: newSplit, direction, frames: [frame, added], sizes: [0.5, 0.5] };
  }
  const at = frame.frames.findIndex((child) => child.id === beside);
  if (at < 0 || frame.direction !== direction) {
    return { ...frame, frames: frame.frames.map((child) => insertBeside(child, beside, direction, added, newSplit)) };
  }
  const half = (frame.sizes[at] ?? 0) / 2;
  const sizes = frame.sizes.toSpliced(at, 1, half, half);
  return { ...frame, frames: frame.frames.toSpliced(at + 1, 0, added), sizes };
}

/** The same proportions, adding up to 1. */
export function shares(sizes: number[]): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0) || 1;
  return sizes.map((size) => size / total);
}
