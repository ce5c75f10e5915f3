import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** A module that a library asks for, and what it gets of ours in its place. */
interface Replacement {
  /** Where the library lies. */
  readonly by: RegExp;
  /** What it asks for. */
  readonly module: string;
  /** A file of `src/lean`. */
  readonly with: string;
}

const REPLACEMENTS: readonly Replacement[] = [
  // Who else is where is drawn by `documents/presence.ts`.
  { by: /\/y-codemirror\.next\//, module: './y-remote-selections.js', with: 'remoteSelections' },
  // Colours of a console, with a page's elements and a checker of shapes behind them.
  { by: /\/yjs\//, module: 'lib0/logging', with: 'logging' },
  // What could stand here is asked for by whoever types, long after a language has coloured what is there.
  { by: /\/@codemirror\/lang-(python|javascript)\//, module: '@codemirror/autocomplete', with: 'completion' },
  { by: /\/@replit\/codemirror-(vim|emacs)\//, module: '@codemirror/commands', with: 'history' },
];

/** Marks the calls that bind its keys as without effect: they would be left out. */
const MARKED_WRONGLY = /\/@replit\/codemirror-emacs\//;

/** Leaves out what libraries bring along that is not used here, or not at once. */
export function lean(): Plugin {
  return {
    name: 'lean',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      const found = REPLACEMENTS.find(
        ({ by, module }) => module === source && importer !== undefined && by.test(importer),
      );
      return found ? fileURLToPath(new URL(`../src/lean/${found.with}.ts`, import.meta.url)) : null;
    },
    transform(code, id) {
      return MARKED_WRONGLY.test(id) ? { code: code.replaceAll('/*@__PURE__*/', ''), map: null } : null;
    },
  };
}
