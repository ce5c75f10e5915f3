/** An offered rule as the fields in which a person changes it. Pure. */
import type { ArgumentMatcher, CommandMatcher, PolicyRule, RuleEdit } from '../wire/gen/types';

/** The parts of a rule that can be changed. */
export interface RuleDraft {
  readonly paths: readonly string[];
  readonly commands: readonly CommandDraft[];
  readonly args: readonly ArgumentDraft[];
  /** The day on which it ends, `2026-12-31`; empty for never. */
  readonly expires: string;
}

/** One command: its words on a line, unless that line could be read otherwise. */
export interface CommandDraft {
  readonly text: string;
  /** These words and no more, not only the first ones. */
  readonly exact: boolean;
  /** What can't be typed as one line stays as it is. */
  readonly fixed: CommandMatcher | null;
}

/** How an argument is compared; `any` leaves it out of the rule. */
export type Comparison = 'equals' | 'prefix' | 'glob' | 'any';

/** One argument. */
export interface ArgumentDraft {
  readonly name: string;
  readonly how: Comparison;
  readonly text: string;
  /** A value that is no text is compared as it is, or not at all. */
  readonly fixed: ArgumentMatcher | null;
}

/** The fields for a rule. */
export function draftOf({ paths = [], commands = [], args = {}, expires = '' }: PolicyRule): RuleDraft {
  return {
    paths,
    commands: commands.map(commandDraft),
    args: Object.entries(args).map(([name, matcher]) => argumentDraft(name, matcher)),
    expires,
  };
}

/** What the fields say. */
export function editOf({ paths, commands, args, expires }: RuleDraft): RuleEdit {
  return {
    paths: paths.map((path) => path.trim()).filter(Boolean),
    commands: commands.map(commandOf).filter((command) => wordsOf(command).length > 0),
    args: Object.fromEntries(args.flatMap((each) => (each.how === 'any' ? [] : [[each.name, argumentOf(each)]]))),
    ...(expires && { expires }),
  };
}

/** Patterns around a file that a person may mean, the narrowest first. */
export function patternsAround(path: string): string[] {
  const folders = path.split('/').slice(0, -1);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = /\.[^.]+$/.exec(name)?.[0];
  const around = folders.map((_, index) => `${folders.slice(0, folders.length - index).join('/')}/**`);
  const alike = ending ? [[...folders, `*${ending}`].join('/'), `**/*${ending}`] : [];
  return [path, ...alike.slice(0, 1), ...around, ...alike.slice(1)];
}

function commandDraft(command: CommandMatcher): CommandDraft {
  const words = wordsOf(command);
  const plain = words.every((word) => /^[^\s'"\\]+$/.test(word));
  return { text: words.join(' '), exact: !Array.isArray(command), fixed: plain ? null : command };
}

function commandOf({ text, exact, fixed }: CommandDraft): CommandMatcher {
  const words = text.split(/\s+/).filter(Boolean);
  return fixed ?? (exact ? { exact: words } : words);
}

function wordsOf(command: CommandMatcher): readonly string[] {
  return Array.isArray(command) ? command : command.exact;
}

function argumentDraft(name: string, matcher: ArgumentMatcher): ArgumentDraft {
  if ('prefix' in matcher) return { name, how: 'prefix', text: matcher.prefix, fixed: null };
  if ('glob' in matcher) return { name, how: 'glob', text: matcher.glob, fixed: null };
  const { equals } = matcher;
  if (typeof equals === 'string') return { name, how: 'equals', text: equals, fixed: null };
  return { name, how: 'equals', text: JSON.stringify(equals), fixed: matcher };
}

function argumentOf({ how, text, fixed }: ArgumentDraft): ArgumentMatcher {
  if (fixed) return fixed;
  if (how === 'prefix') return { prefix: text };
  return how === 'glob' ? { glob: text } : { equals: text };
}
