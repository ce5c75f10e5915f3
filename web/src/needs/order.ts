/** The list of what waits: what it holds while it is looked at, and where the keys go. Pure. */
import type { ActionId, ActionRecord } from '../wire/gen/types';

/** What was listed stays at its place when it is answered, so that nothing moves under a hand. New ones come last. */
export function listed(before: readonly ActionId[], waiting: readonly ActionRecord[]): readonly ActionId[] {
  const come = waiting.map((record) => record.envelope.id).filter((id) => !before.includes(id));
  return come.length > 0 ? [...before, ...come] : before;
}

/** The next that waits after `id`, else the first that does. */
export function nextWaiting(
  ids: readonly ActionId[],
  waiting: readonly ActionRecord[],
  id: ActionId | null,
): ActionId | null {
  const open = new Set(waiting.map((record) => record.envelope.id));
  const at = id === null ? -1 : ids.indexOf(id);
  return [...ids.slice(at + 1), ...ids.slice(0, at + 1)].find((each) => open.has(each)) ?? null;
}

/** Where a key goes in a list of `count` rows; null if it goes nowhere. */
export function stepTo(key: string, at: number, count: number): number | null {
  const to = { j: at + 1, ArrowDown: at + 1, k: at - 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[key];
  return to === undefined || count === 0 ? null : Math.min(count - 1, Math.max(0, to));
}
