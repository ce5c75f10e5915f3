/** What the palette offers: commands, files, actions, and asking. Pure. */
import type { Command } from '../app/commands';
import type { PaletteMode } from '../app/shell';
import type { Descriptor, ThreadEdit, ThreadFound, ThreadId, TurnId, WorkspacePath } from '../wire/gen/types';
import { rank } from './fuzzy';

/** One line of the palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: 'Ask' | 'Commands' | 'Files' | 'Actions' | 'Threads';
  readonly title: string;
  /** Letters of the title that were meant. */
  readonly at: readonly number[];
  readonly detail: string | null;
  readonly keys: string | null;
  readonly choice: PaletteChoice;
}

/** What happens when it is chosen. */
export type PaletteChoice =
  | { readonly kind: 'command'; readonly id: string }
  | { readonly kind: 'file'; readonly path: WorkspacePath }
  | { readonly kind: 'action'; readonly descriptor: Descriptor }
  | { readonly kind: 'thread'; readonly thread: ThreadId; readonly turn: TurnId | null }
  | { readonly kind: 'ask'; readonly text: string };

/** Where entries come from. */
export interface Sources {
  readonly commands: readonly Command[];
  readonly paths: readonly WorkspacePath[];
  /** The files that are open or were, the last one first: offered before anything is typed. */
  readonly recent: readonly WorkspacePath[];
  readonly actions: readonly Descriptor[];
  /** Threads in which what was typed was said, as the server found them. */
  readonly said: readonly ThreadFound[];
  /** There is an assistant for this person. */
  readonly asks: boolean;
  /** What threads did to the lines that are looked at. */
  readonly edits: readonly ThreadEdit[];
}

const FEW = 6;
const MANY = 40;

/** The entries for what was typed. In the other modes only those; asking comes last, or first if it is a sentence and no command’s name. */
export function entriesFor(query: string, mode: PaletteMode, sources: Sources): PaletteEntry[] {
  const text = query.trim();
  if (mode === 'lines') return editEntries(text, sources.edits);
  const files = fileEntries(text, sources, mode === 'files' ? MANY : FEW);
  if (mode === 'files') return files;
  const others = [
    ...commandEntries(text, sources.commands),
    ...files,
    ...actionEntries(text, sources.actions),
    ...threadEntries(sources.said),
  ];
  if (text === '' || !sources.asks) return others;
  const ask: PaletteEntry = {
    id: 'ask',
    group: 'Ask',
    title: `Ask: ${text}`,
    at: [],
    detail: 'send to the assistant',
    keys: null,
    choice: { kind: 'ask', text },
  };
  const isNamed = others.some(
    ({ group, title }) => group === 'Commands' && title.toLowerCase().includes(text.toLowerCase()),
  );
  return looksLikeSentence(text) && !isNamed ? [ask, ...others] : [...others, ask];
}

/** Four words or a question are said to somebody; less is looked for. */
function looksLikeSentence(text: string): boolean {
  return text.endsWith('?') || text.split(/\s+/).length >= 4;
}

function fileEntries(text: string, { paths, recent }: Sources, limit: number): PaletteEntry[] {
  const pool = text === '' ? [...recent, ...paths.filter((path) => !recent.includes(path))] : paths;
  return rank(text, pool, (path) => path, limit).map(({ entry, at }) => ({
    id: `file:${entry}`,
    group: 'Files',
    title: entry,
    at,
    detail: null,
    keys: null,
    choice: { kind: 'file', path: entry },
  }));
}

function commandEntries(text: string, commands: readonly Command[]): PaletteEntry[] {
  const offered = commands.filter((command) => !command.hidden);
  return rank(text, offered, (command) => command.title, text === '' ? 100 : FEW).map(({ entry, at }) => ({
    id: `command:${entry.id}`,
    group: 'Commands',
    title: entry.title,
    at,
    detail: entry.group,
    keys: entry.keys?.[0] ?? null,
    choice: { kind: 'command', id: entry.id },
  }));
}

function threadEntries(said: readonly ThreadFound[]): PaletteEntry[] {
  return said.slice(0, FEW).map(({ thread, turn, excerpt }) => ({
    id: `thread:${thread.id}`,
    group: 'Threads',
    title: thread.title,
    at: [],
    detail: excerpt,
    keys: null,
    choice: { kind: 'thread', thread: thread.id, turn },
  }));
}

function editEntries(text: string, edits: readonly ThreadEdit[]): PaletteEntry[] {
  return rank(text, edits, ({ title }) => title, MANY).map(({ entry, at }) => ({
    id: `edit:${entry.action}`,
    group: 'Threads',
    title: entry.title,
    at,
    detail: `${entry.summary}, ${new Date(entry.at).toLocaleString()}`,
    keys: null,
    choice: { kind: 'thread', thread: entry.thread, turn: entry.turn },
  }));
}

/** Actions are found by their summary, and by what people say when they mean them. */
function actionEntries(text: string, actions: readonly Descriptor[]): PaletteEntry[] {
  if (text === '') return [];
  const ranked = rank(text, actions, searchedText, FEW);
  return ranked.map(({ entry, at }) => ({
    id: `action:${entry.name}`,
    group: 'Actions',
    title: entry.summary,
    at: at.filter((index) => index < entry.summary.length),
    detail: entry.name,
    keys: null,
    choice: { kind: 'action', descriptor: entry },
  }));
}

function searchedText({ summary, name, phrases }: Descriptor): string {
  return [summary, name, ...phrases].join(' · ');
}

/** The argument names that an action can't do without. */
export function requiredArguments({ args_schema }: Descriptor): string[] {
  const schema = args_schema as { required?: unknown } | null;
  return Array.isArray(schema?.required)
    ? schema.required.filter((name): name is string => typeof name === 'string')
    : [];
}

/** What the assistant is asked when an action needs more than was said: the first phrase, to be completed. */
export function askFor({ phrases, summary }: Descriptor): string {
  return `${phrases[0] ?? summary} `;
}
