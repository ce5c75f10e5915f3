// Reads an arrangement that was kept by this or another version: what it does not know, it leaves out. Pure.
import { shares } from './nodes';
import { type Frame, type Frames, focusedPane, isPage, type Pane, panesOf, type Tab, type View } from './tree';

/** Returns the arrangement in `value`, or null if there is none in it. */
export function parseFrames(value: unknown): Frames | null {
  if (!isObject(value)) return null;
  const root = parseFrame(value.root, 0);
  if (!root || hasTwins(root)) return null;
  const frames = { root, focused: String(value.focused) };
  return { root, focused: focusedPane(frames).id };
}

function parseFrame(value: unknown, depth: number): Frame | null {
  if (!isObject(value) || typeof value.id !== 'string' || depth > 12) return null;
  if (value.kind === 'pane') return parsePane(value.id, value);
  if (value.kind !== 'split' || !Array.isArray(value.frames)) return null;
  const frames = value.frames.map((child) => parseFrame(child, depth + 1)).filter((child) => child !== null);
  if (frames.length < 2) return frames[0] ?? null;
  const direction = value.direction === 'column' ? 'column' : 'row';
  return { kind: 'split', id: value.id, direction, frames, sizes: parseSizes(value.sizes, frames.length) };
}

function parsePane(id: string, value: Record<string, unknown>): Pane {
  const tabs = (Array.isArray(value.tabs) ? value.tabs : []).map(parseTab).filter((tab) => tab !== null);
  const active = tabs.find((tab) => tab.id === value.active) ?? tabs[0];
  return { kind: 'pane', id, tabs, active: active?.id ?? null };
}

function parseTab(value: unknown): Tab | null {
  if (!isObject(value) || typeof value.id !== 'string') return null;
  const view = parseView(value.view);
  return view && { id: value.id, view };
}

function parseView(value: unknown): View | null {
  if (!isObject(value)) return null;
  if (value.kind === 'file') return typeof value.path === 'string' ? { kind: 'file', path: value.path } : null;
  if (value.kind === 'task') return typeof value.task === 'string' ? { kind: 'task', task: value.task } : null;
  if (value.kind === 'terminal') {
    return typeof value.terminal === 'string' ? { kind: 'terminal', terminal: value.terminal } : null;
  }
  if (value.kind === 'compare') return typeof value.of === 'string' ? { kind: 'compare', of: value.of } : null;
  return isPage(value.kind) ? { kind: value.kind } : null;
}

function parseSizes(value: unknown, count: number): number[] {
  const usable =
    Array.isArray(value) && value.length === count && value.every((size) => typeof size === 'number' && size > 0);
  return shares(usable ? value : Array.from({ length: count }, () => 1));
}

function hasTwins(root: Frame): boolean {
  const ids = panesOf(root).flatMap((pane) => [pane.id, ...pane.tabs.map((tab) => tab.id)]);
  return new Set(ids).size !== ids.length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
