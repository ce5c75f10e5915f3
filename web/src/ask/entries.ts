/** The rows of the palette: what was understood, actions, files, threads, and asking the assistant. Pure. */
import type { Command } from '../app/commands';
import type { PaletteMode } from '../app/shell';
import type {
  Descriptor,
  RoutedSentence,
  ThreadEdit,
  ThreadFound,
  ThreadId,
  TurnId,
  WorkspacePath,
} from '../wire/gen/types';
import { akinActions } from './akin';
import { aliasesOf, withoutShowing } from './aliases';
import { type Ranked, rank } from './fuzzy';
import { type Habits, points } from './habits';
import { type RiskWord, type Understood, understoodIn } from './understood';

/** One line of the palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: 'Do' | 'Recently used' | 'Which one?' | 'Actions' | 'Files' | 'Threads' | 'Assistant';
  readonly title: string;
  /** Letters of the title that were meant. */
  readonly at: readonly number[];
  readonly detail: string | null;
  readonly keys: string | null;
  /** The gravest risk, where the row does something itself. */
  readonly risk?: RiskWord;
  readonly choice: PaletteChoice;
}

/** The effect of choosing it. */
export type PaletteChoice =
  | { readonly kind: 'understood'; readonly text: string; readonly understood: Understood }
  | { readonly kind: 'command'; readonly id: string }
  | { readonly kind: 'file' | 'compare'; readonly path: WorkspacePath }
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
  /** That assistant has a model. */
  readonly hasModel: boolean;
  /** The changes of threads to the lines at the cursor. */
  readonly edits: readonly ThreadEdit[];
  /** The frequent choices of this person. */
  readonly habits: Habits;
  readonly now: number;
}

const FEW = 6;
const MANY = 40;
const ALL = 100;

/** Letters of a sentence in a row. */
const MOST_LETTERS = 300;

/** Points of an action that the text names, by its title or another word for it. */
const NAMED = 280;

/** Points by which a file has to fit better than every action to come first: it is named whole. */
const NAMED_WHOLE = 200;

/** The entries for what was typed, and for what the server understood of it. In the other modes only theirs. */
export function entriesFor(
  query: string,
  mode: PaletteMode,
  sources: Sources,
  routed: RoutedSentence | null = null,
): PaletteEntry[] {
  const text = query.trim();
  if (mode === 'lines') return editEntries(text, sources.edits);
  if (mode !== 'all') return fileEntries(text, mode, sources);
  if (text === '') return beforeTyping(sources);
  const files = rankedFiles(text, sources, FEW);
  const actions = rankedActions(text, sources);
  const isFile = (files[0]?.score ?? 0) > (actions[0]?.score ?? 0) + NAMED_WHOLE;
  const found = [
    ...(isFile ? [...files, ...actions] : [...actions, ...files]).map(({ entry }) => entry),
    ...threadEntries(sources.said),
  ];
  const understood = routed ? understoodEntries(text, routed) : [];
  if (!sources.asks) return [...understood, ...found];
  const ask = askEntry(text, sources.hasModel);
  const isNamed = (actions[0]?.score ?? 0) > NAMED;
  const isSentence = looksLikeSentence(text) && !isNamed && understood.length === 0;
  if (!isSentence) return [...understood, ...found, ask];
  return [ask, ...found, ...(found.length === 0 ? akinEntries(text, sources) : [])];
}

/** The choices of this person before anything is typed, the last ones first; then all else that there is to do. */
function beforeTyping(sources: Sources): PaletteEntry[] {
  const all = [...rankedCommands('', sources), ...rankedFiles('', sources, ALL)].map(({ entry }) => entry);
  const used = (entry: PaletteEntry) => sources.habits.get(entry.id)?.at ?? 0;
  const recent = all
    .filter((entry) => used(entry) > 0)
    .sort((one, two) => used(two) - used(one))
    .slice(0, FEW);
  const files = new Set<PaletteEntry>(all.filter(({ group }) => group === 'Files').slice(0, FEW));
  const others = all.filter((entry) => !recent.includes(entry) && (entry.group !== 'Files' || files.has(entry)));
  return [...recent.map((entry) => ({ ...entry, group: 'Recently used' as const })), ...others];
}

/** Files alone: all, or those that were looked at; each opens, or is compared with the one that was asked about. */
function fileEntries(text: string, mode: 'files' | 'recent' | 'compare', sources: Sources): PaletteEntry[] {
  const from = mode === 'recent' ? { ...sources, paths: sources.recent } : sources;
  const entries = rankedFiles(text, from, MANY).map(({ entry }) => entry);
  if (mode !== 'compare') return entries;
  return entries.map((entry) => ({ ...entry, choice: { kind: 'compare', path: entry.title } }));
}

/** Four words or a question are said to somebody; less is looked for. */
function looksLikeSentence(text: string): boolean {
  return text.endsWith('?') || text.split(/\s+/).length >= 4;
}

function understoodEntries(text: string, routed: RoutedSentence): PaletteEntry[] {
  return understoodIn(routed).map((understood, index) => ({
    id: `understood:${index}`,
    group: routed.kind === 'choose' ? 'Which one?' : 'Do',
    title: understood.title,
    at: [],
    detail: understood.detail || null,
    keys: null,
    risk: understood.risk,
    choice: { kind: 'understood', text, understood },
  }));
}

function askEntry(text: string, hasModel: boolean): PaletteEntry {
  return {
    id: 'ask',
    group: 'Assistant',
    title: `Ask the assistant: ${text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text}`,
    at: [],
    detail: hasModel ? null : 'no model connected',
    keys: null,
    choice: { kind: 'ask', text },
  };
}

type RankedEntry = Ranked<PaletteEntry>;

function rankedFiles(text: string, { paths, recent, habits, now }: Sources, limit: number): RankedEntry[] {
  const pool = text === '' ? [...recent, ...paths.filter((path) => !recent.includes(path))] : paths;
  const id = (path: WorkspacePath) => `file:${path}`;
  const bonus = (path: WorkspacePath) => points(habits, id(path), now);
  const looked = (words: string) => rank(words, pool, (path) => path, limit, text === '' ? {} : { bonus });
  return tried(text, looked).map(({ entry, ...fit }) => ({
    ...fit,
    entry: {
      id: id(entry),
      group: 'Files',
      title: entry,
      at: fit.at,
      detail: null,
      keys: null,
      choice: { kind: 'file', path: entry },
    },
  }));
}

/** The text as it is, and without a verb of showing if nothing has that name. */
function tried<Entry>(text: string, look: (words: string) => Ranked<Entry>[]): Ranked<Entry>[] {
  const found = look(text);
  const rest = withoutShowing(text);
  return found.length === 0 && rest !== null ? look(rest) : found;
}

/** Commands of this window and actions of the catalog: for the person both are things to do. */
function rankedActions(text: string, sources: Sources): RankedEntry[] {
  const commands = rankedCommands(text, sources);
  if (text === '') return commands;
  const taken = new Set(sources.commands.map(({ id }) => id));
  const catalog = rankedCatalog(text, sources, taken);
  return [...commands, ...catalog].sort((one, two) => two.score - one.score).slice(0, FEW);
}

function rankedCommands(text: string, { commands, habits, now }: Sources): RankedEntry[] {
  const offered = commands.filter((command) => !command.hidden);
  const id = (command: Command) => `command:${command.id}`;
  const look = (words: string) =>
    rank(words, offered, (command) => command.title, ALL, {
      others: (command) => aliasesOf(command.id),
      bonus: (command) => points(habits, id(command), now),
    });
  return tried(text, look).map(({ entry, ...fit }) => ({
    ...fit,
    entry: {
      id: id(entry),
      group: 'Actions',
      title: entry.title,
      at: fit.at,
      detail: entry.group,
      keys: entry.keys?.[0] ?? null,
      choice: { kind: 'command', id: entry.id },
    },
  }));
}

/** Actions that are made for models, and those that a command of the window does. */
export const NOT_OFFERED = /^catalog\.|^task\.plan$|^ui\.(open|tabs\.list)$/;

/** Points that an action of the catalog has to fit better than a command. */
const AFTER_COMMANDS = 30;

/** Actions are found by their summary, and by what people say when they mean them. */
function rankedCatalog(text: string, { actions, habits, now }: Sources, taken: ReadonlySet<string>): RankedEntry[] {
  const offered = actions.filter(({ name }) => !NOT_OFFERED.test(name) && !taken.has(name));
  const id = ({ name }: Descriptor) => `action:${name}`;
  const ranked = rank(text, offered, ({ summary }) => summary, FEW, {
    others: ({ name, phrases }) => [
      ...(/[._]/.test(text) ? [name] : []),
      ...aliasesOf(name),
      ...phrases.filter(isPlain),
    ],
    // A command of the window is what its words name; an action of the catalog comes after it.
    bonus: (descriptor) => points(habits, id(descriptor), now) - AFTER_COMMANDS,
  });
  return ranked.map(({ entry, ...fit }) => ({ ...fit, entry: actionEntry(entry, fit.at) }));
}

/** Actions that a sentence may mean: to be chosen by a person only. */
function akinEntries(text: string, { actions }: Sources): PaletteEntry[] {
  const offered = actions.filter(({ name }) => !NOT_OFFERED.test(name));
  return akinActions(text, offered).map((descriptor) => actionEntry(descriptor, []));
}

function actionEntry(descriptor: Descriptor, at: readonly number[]): PaletteEntry {
  return {
    id: `action:${descriptor.name}`,
    group: 'Actions',
    title: descriptor.summary,
    at,
    detail: descriptor.name,
    keys: null,
    choice: { kind: 'action', descriptor },
  };
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

/** The argument names that an action can't do without. */
export function requiredArguments({ args_schema }: Descriptor): string[] {
  const schema = args_schema as { required?: unknown } | null;
  return Array.isArray(schema?.required)
    ? schema.required.filter((name): name is string => typeof name === 'string')
    : [];
}

/**
 * The beginning of a sentence for an action that needs arguments: its first phrase with an argument, up to that. A phrase is
 * `(move|rename) [the file] {from:file} to {to}`, perhaps with `=> argument=value` after it.
 */
export function beginningFor({ phrases, summary }: Descriptor): string {
  const phrase = phrases.find((each) => /^[^{]*\w[^{]*\{/.test(each)) ?? phrases[0] ?? summary;
  const before = phrase.replace(/=>.*$|\{.*$/s, '');
  const plain = before.replace(/\[[^\]]*\]?/g, '').replace(/\(([^|)]*)[^)]*\)?/g, '$1');
  return `${plain.replace(/\s+/g, ' ').trim()} `;
}

/** Tells whether a phrase is only words: one with arguments and alternatives is for the fast path. */
function isPlain(phrase: string): boolean {
  return !/[{[(|=]/.test(phrase);
}
