/** What can be completed in a message: words with a slash at its beginning, and what is named with an `@`. Pure. */
import { rank } from '../ask/fuzzy';
import type { Attached, Focus, Problem, SlashWord, Thread } from '../wire/gen/types';
import { mentionOf } from './mention';

/** The word that is being written. */
export interface Token {
  readonly kind: 'slash' | 'mention';
  /** Where it begins, its sign included. */
  readonly from: number;
  /** What is written of it. */
  readonly query: string;
}

/** One thing that it could become. */
export interface Candidate {
  readonly key: string;
  readonly label: string;
  /** What it is for, or where. */
  readonly detail: string;
  /** The words that stand in the message; empty for what goes along beside it. */
  readonly insert: string;
  readonly attach?: Attached;
}

/** What there is to choose from. */
export interface Sources {
  readonly words: readonly SlashWord[];
  readonly focus: Focus | null;
  readonly problems: readonly Problem[];
  readonly threads: readonly Thread[];
  readonly files: readonly string[];
}

const MOST = 8;
/** Of each sort, while nothing is written after the sign. */
const FEW = 3;

/** The word that the cursor is at the end of, if it can be completed. */
export function tokenAt(text: string, caret: number): Token | null {
  const before = text.slice(0, caret);
  const slash = /^\s*\/([\w-]*)$/.exec(before);
  if (slash) return { kind: 'slash', from: before.lastIndexOf('/'), query: slash[1] ?? '' };
  const mention = /(?:^|[\s([{,])@([^\s@"'`<>()[\]{}]*)$/.exec(before);
  if (!mention) return null;
  const query = mention[1] ?? '';
  return { kind: 'mention', from: caret - query.length - 1, query };
}

/** What a word could become, the best first. */
export function candidates({ kind, query }: Token, sources: Sources): Candidate[] {
  const all = kind === 'slash' ? sources.words.map(slashWord) : mentions(sources, query === '');
  return rank(query, all, searched, MOST).map(({ entry }) => entry);
}

/** The message with the word in place of what was written of it, and where the cursor goes. */
export function completed(text: string, token: Token, { insert }: Candidate): { text: string; caret: number } {
  const end = token.from + 1 + token.query.length;
  const after = text.slice(end);
  const space = insert && !/^\s/.test(after) ? ' ' : '';
  const put = insert + space;
  return { text: text.slice(0, token.from) + put + after, caret: token.from + put.length };
}

/** What is shown of something that goes along beside a message. */
export function attachedLabel(attached: Attached, threads: ReadonlyMap<string, Thread>): string {
  switch (attached.kind) {
    case 'thread':
      return `Thread “${threads.get(attached.thread)?.title ?? 'gone'}”`;
    case 'data':
      return attached.label;
    case 'command':
      return `/${attached.name}`;
  }
}

function slashWord({ name, summary }: SlashWord): Candidate {
  return { key: `/${name}`, label: `/${name}`, detail: summary, insert: `/${name}` };
}

function mentions({ focus, problems, threads, files }: Sources, few: boolean): Candidate[] {
  const some = <Item>(items: readonly Item[]) => (few ? items.slice(0, FEW) : items);
  const selection: Candidate[] = focus?.selection
    ? [{ key: 'selection', label: '@selection', detail: 'the selected lines', insert: '@selection' }]
    : [];
  return [...selection, ...some(problems).map(problem), ...some(threads).map(thread), ...some(files).map(file)];
}

function problem(found: Problem, index: number): Candidate {
  const place = [found.path ?? 'no file', found.line].filter(Boolean).join(':');
  const from = `output of ${PROGRAMS[found.source]}`;
  const text = [`${place}: ${found.severity}: ${found.message}`, found.detail ?? ''].filter(Boolean).join('\n');
  const attach: Attached = { kind: 'data', label: `Problem at ${place}`, from, text };
  return { key: `problem-${index}`, label: `@problem ${place}`, detail: found.message, insert: '', attach };
}

const PROGRAMS: Record<Problem['source'], string> = {
  latex: 'a LaTeX build',
  kernel: 'a kernel',
  shell: 'a command',
  language_server: 'a language server',
  script: 'a check of a script',
};

function thread({ id, title }: Thread): Candidate {
  const attach: Attached = { kind: 'thread', thread: id };
  return { key: id, label: `@thread ${title}`, detail: 'its last question and answer', insert: '', attach };
}

function file(path: string): Candidate {
  const slash = path.lastIndexOf('/');
  return { key: path, label: `@${path.slice(slash + 1)}`, detail: path.slice(0, slash + 1), insert: mentionOf(path) };
}

/** A file is found by its path, everything else by what is shown of it. */
function searched({ label, detail, insert, attach }: Candidate): string {
  if (insert.startsWith('@')) return insert.replace(/^@"?|"$/g, '');
  return attach ? `${label.slice(1)} ${detail}` : label.slice(1);
}
