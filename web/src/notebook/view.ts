// One notebook as one pane shows it: what its parts share, and everything that can be done to it.
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LiveDocument } from '../documents/provider';
import type { Found, Query } from './find';
import type { Observed } from './observed';
import type { CellRun, Runs } from './runs';
import { noSelection, type Selection } from './selection';

/** Where in a text the keyboard is wanted: at an end, under a point of the window, or where it was. */
export type Caret = 'start' | 'end' | { readonly x: number; readonly y: number } | null;

/** Something that takes away what a kernel has computed, once the person is sure. */
export interface Losing {
  /** `Restart`. */
  readonly verb: string;
  /** `the kernel`. */
  readonly what: string;
  answer(sure: boolean): void;
}

/** What a pane knows of its notebook beside the document. */
export interface Shown {
  readonly selection: Selection;
  /** Markdown cells whose text is shown instead of what it says. */
  readonly sources: ReadonlySet<string>;
  /** Where the keyboard is wanted; `count` tells a second wish from the first. */
  readonly wish: { readonly key: string; readonly caret: Caret; readonly count: number } | null;
  /** Null as long as the setting decides. */
  readonly lineNumbers: boolean | null;
  readonly outline: boolean;
  /** How often it was asked where words are; 0 while nobody looks. */
  readonly finding: number;
  /** What the person is asked while it would take away what a kernel has computed. */
  readonly losing: Losing | null;
  /** What is looked for. */
  readonly query: Query | null;
  /** The place that was found last. */
  readonly found: Found | null;
}

/** What the parts of a pane share. */
export interface NotebookView {
  readonly path: string;
  readonly tab: string;
  readonly live: LiveDocument;
  readonly observed: Observed;
  readonly runs: StoreApi<Runs>;
  readonly shown: StoreApi<Shown>;
}

/** Nothing selected, nothing open. */
export function newShown(): StoreApi<Shown> {
  return createStore<Shown>(() => ({
    selection: noSelection,
    sources: new Set(),
    wish: null,
    lineNumbers: null,
    outline: false,
    finding: 0,
    losing: null,
    query: null,
    found: null,
  }));
}

/** The notebook around a component. */
export const NotebookContext = createContext<NotebookView | null>(null);

/** The same; it throws outside of one. */
export function useNotebook(): NotebookView {
  const view = useContext(NotebookContext);
  if (!view) throw new Error('a part of a notebook stands outside of one');
  return view;
}

/** Something that the pane knows. */
export function useShown<T>(read: (shown: Shown) => T): T {
  return useStore(useNotebook().shown, read);
}

/** The latest run of a cell, and what it put out. */
export function useRun(key: string): CellRun | undefined {
  return useStore(useNotebook().runs, (runs) => runs.cells.get(key));
}
