// What components show of a live notebook: each hears of the cell it shows, and of no other.
import { useSyncExternalStore } from 'react';
import * as Y from 'yjs';
import { cellsOf, kindOf, orderOf, sourceOf } from './cells';
import { type Folded, foldedIn } from './sections';

type Listener = () => void;

/** Watches the cells of one notebook document. */
export class Observed {
  private order: string[];
  private folded: Folded;
  private readonly ofOrder = new Set<Listener>();
  private readonly ofCells = new Map<string, Set<Listener>>();

  constructor(readonly doc: Y.Doc) {
    this.order = orderOf(doc);
    this.folded = foldedIn(doc, this.order);
    cellsOf(doc).observeDeep(this.onEvents);
  }

  destroy(): void {
    cellsOf(this.doc).unobserveDeep(this.onEvents);
  }

  /** The keys of the cells, the same list as long as it does not change. */
  readonly keys = (): string[] => this.order;

  /** What is under collapsed headings. */
  readonly folds = (): Folded => this.folded;

  /** Hears of the order, and of what is collapsed. */
  readonly onOrder = (listener: Listener): (() => void) => {
    this.ofOrder.add(listener);
    return () => this.ofOrder.delete(listener);
  };

  /** Hears of one cell: its kind, its text, its metadata. */
  onCell(key: string, listener: Listener): () => void {
    const listeners = this.ofCells.get(key) ?? new Set();
    this.ofCells.set(key, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.ofCells.get(key) === listeners) this.ofCells.delete(key);
    };
  }

  private readonly onEvents = (events: Y.YEvent<Y.AbstractType<unknown>>[]): void => {
    const touched = new Set<string>();
    let places = false;
    for (const event of events) {
      const [key] = event.path;
      if (typeof key === 'string') touched.add(key);
      else for (const changed of event.keys.keys()) touched.add(changed);
      places ||= event.path.length === 0 || (event.path.length === 1 && event.keys.has('position'));
    }
    const marks = events.some(({ target }) => !(target instanceof Y.Text));
    if (places) this.reorder();
    if (marks || this.folded.hidden.size > 0) this.fold();
    for (const key of touched) for (const listener of this.ofCells.get(key) ?? []) listener();
  };

  private fold(): void {
    const folded = foldedIn(this.doc, this.order);
    if (folded.hidden.size === 0 && this.folded.hidden.size === 0) return;
    this.folded = folded;
    for (const listener of this.ofOrder) listener();
  }

  private reorder(): void {
    const order = orderOf(this.doc);
    if (order.length === this.order.length && order.every((key, at) => key === this.order[at])) return;
    this.order = order;
    for (const listener of this.ofOrder) listener();
  }
}

/** The keys of the cells, in order. */
export function useOrder(observed: Observed): string[] {
  return useSyncExternalStore(observed.onOrder, observed.keys);
}

/** What is under collapsed headings. */
export function useFolded(observed: Observed): Folded {
  return useSyncExternalStore(observed.onOrder, observed.folds);
}

/** Something about one cell that can be compared: a text, a flag, a shared type. */
export function useCell<T extends string | boolean | number | null | Y.Text>(
  observed: Observed,
  key: string,
  read: (doc: Y.Doc, key: string) => T,
): T {
  return useSyncExternalStore(
    (listener) => observed.onCell(key, listener),
    () => read(observed.doc, key),
  );
}

/** What a cell holds. */
export const useKind = (observed: Observed, key: string) => useCell(observed, key, kindOf);

/** The shared text of a cell; another one when an undo has put the cell back. */
export const useSource = (observed: Observed, key: string) => useCell(observed, key, sourceOf);
