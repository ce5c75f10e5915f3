// Which cells are selected, and whether keys go to the notebook (`command`) or into a cell (`edit`). Pure.

/** What is selected: all cells from `anchor` to `active`, in whichever direction. */
export interface Selection {
  readonly mode: 'command' | 'edit';
  readonly active: string | null;
  readonly anchor: string | null;
}

/** Nothing yet. */
export const noSelection: Selection = { mode: 'command', active: null, anchor: null };

/** One cell. */
export function only(key: string | null, mode: Selection['mode'] = 'command'): Selection {
  return { mode, active: key, anchor: key };
}

/** The selected cells, in order. */
export function selectedIn({ active, anchor }: Selection, order: readonly string[]): string[] {
  const from = order.indexOf(anchor ?? '');
  const to = order.indexOf(active ?? '');
  if (to < 0) return [];
  return order.slice(from < 0 ? to : Math.min(from, to), Math.max(from, to) + 1);
}

/** The next cell, or the one before; with `extend` what was selected stays so. Hidden cells are passed over by `visible`. */
export function moved(selection: Selection, visible: readonly string[], step: 1 | -1, extend: boolean): Selection {
  const at = visible.indexOf(selection.active ?? '');
  const next = visible[at < 0 ? 0 : Math.max(0, Math.min(visible.length - 1, at + step))] ?? null;
  return { mode: 'command', active: next, anchor: extend ? (selection.anchor ?? next) : next };
}

/** Up to a cell from where the selection began. */
export function extendedTo(selection: Selection, key: string): Selection {
  return { mode: 'command', active: key, anchor: selection.anchor ?? key };
}

/** All of them; the active one stays where it is if it is at an end. */
export function all(order: readonly string[]): Selection {
  return { mode: 'command', anchor: order[0] ?? null, active: order.at(-1) ?? null };
}

/** What is selected once cells are gone: the one after them, else the one before. */
export function without(selection: Selection, order: readonly string[], gone: ReadonlySet<string>): Selection {
  const { active, anchor } = selection;
  if (active === null || !gone.has(active)) return anchor !== null && gone.has(anchor) ? only(active) : selection;
  const at = order.indexOf(active);
  const next = order.slice(at).find((key) => !gone.has(key)) ?? order.slice(0, at).findLast((key) => !gone.has(key));
  return only(next ?? null);
}
