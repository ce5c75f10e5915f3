// The kinds of cells that can be made, in one table: menus, keys, the toolbar and what a screen reader says come from it.
// What is no code for the format, or of no kind that is known, is not in it.
import type { IconName } from '../ui/Icon';
import type { FileKind } from '../wire/gen/types';

interface KindFacts {
  /** In a menu. */
  readonly name: string;
  /** In a sentence. */
  readonly word: string;
  /** The letter that makes a cell this, and what that is called. */
  readonly key: string;
  readonly make: string;
  /** The language of its text; null for that of the kernel. */
  readonly language: FileKind | null;
  /** It can be run, and has outputs. */
  readonly runs: boolean;
  /** What stands above its text, if something does. */
  readonly head: { readonly icon: IconName; readonly words: string } | null;
}

/** By the name of the kind. */
export const KINDS: Readonly<Record<string, KindFacts>> = {
  code: { name: 'Code', word: 'code', key: 'y', make: 'Change to code', language: null, runs: true, head: null },
  markdown: {
    name: 'Markdown',
    word: 'Markdown',
    key: 'm',
    make: 'Change to Markdown',
    language: 'markdown',
    runs: false,
    head: null,
  },
  ai: {
    name: 'AI',
    word: 'AI',
    key: 'p',
    make: 'Change to AI: P for prompt',
    language: 'markdown',
    runs: true,
    head: { icon: 'model', words: 'AI' },
  },
  sql: {
    name: 'SQL',
    word: 'SQL',
    key: 'q',
    make: 'Change to SQL: Q for query',
    language: 'sql',
    runs: true,
    head: { icon: 'fileData', words: 'SQL' },
  },
  raw: { name: 'Raw', word: 'raw', key: 'r', make: 'Change to raw', language: 'plain', runs: false, head: null },
};

/** Tells whether cells of this kind can be run, and have outputs. */
export const canRun = (kind: string): boolean => KINDS[kind]?.runs ?? false;

/** The kinds whose cells are code in the file, which says in its metadata what they are. */
export const MARKED: ReadonlySet<string> = new Set(['ai', 'sql']);
