/** What is said of servers of tools. Pure. */
import type { Tone } from '../ui/Fold';
import type { IconName } from '../ui/Icon';
import type { McpHints, McpLaunch, McpServer, McpState, McpToolChoice } from '../wire/gen/types';

/** Where a server stands with the person, as it is shown. */
export interface StandWords {
  readonly word: string;
  readonly icon: IconName;
  readonly tone: Tone;
}

const FAILED: StandWords = { word: 'could not be reached', icon: 'error', tone: 'err' };

const STANDS: Readonly<Record<McpState, StandWords>> = {
  unseen: { word: 'tools not listed yet', icon: 'circle', tone: 'quiet' },
  untrusted: { word: 'each use needs your approval', icon: 'hand', tone: 'warn' },
  trusted: { word: 'you trust these tools', icon: 'check', tone: 'ok' },
  changed: { word: 'tools changed: review them before use', icon: 'warning', tone: 'err' },
};

/** Says where a server stands. That nobody can reach it matters more than what was said of it, unless it changed. */
export function standOf({ state, failure }: McpServer): StandWords {
  return failure && state !== 'changed' ? FAILED : STANDS[state];
}

/** Whether it runs, and what becomes of one that does not. */
export function reachWords({ running, failure, tries, retry_in, launch, started_by_hand }: McpServer): string {
  if (running) return launch.kind === 'http' ? 'connected' : 'running';
  if (!failure) return started_by_hand ? 'manual start' : 'starts when needed';
  const times = tries === 1 ? 'failed once' : `failed ${tries} times`;
  return retry_in === undefined ? times : `${times}, retrying ${retry_in === 0 ? 'now' : `in ${retry_in} s`}`;
}

/** How it is reached, in a line: nothing of it goes through a shell. */
export function launchWords(launch: McpLaunch): string {
  return launch.kind === 'http' ? launch.url : launch.argv.map(shown).join(' ');
}

/** What else belongs to how it is reached, a line each. */
export function launchFacts(launch: McpLaunch): string[] {
  if (launch.kind === 'http') {
    return Object.entries(launch.headers ?? {}).map(([header, from]) => `header ${header} from ${from}`);
  }
  return [
    ...(launch.cwd ? [`runs in ${launch.cwd}`] : []),
    ...Object.entries(launch.environment ?? {}).map(([name, value]) => `${name}=${value}`),
    ...(launch.inherit ?? []).map((name) => `${name} from your environment or secrets`),
  ];
}

/** A word of a command, in quotes if it has spaces or is empty. */
function shown(word: string): string {
  return /^[^\s'"]+$/.test(word) ? word : JSON.stringify(word);
}

/** What the server itself says of a tool; nothing follows from it. */
export function hintWords(hints: McpHints): string {
  const words = [
    hints.read_only === true && 'read-only',
    hints.destructive === true && 'destructive',
    hints.open_world === true && 'open world',
    hints.idempotent === true && 'idempotent',
  ].filter((word) => typeof word === 'string');
  return words.length > 0 ? `According to the server: ${words.join(', ')}.` : 'The server does not describe its risks.';
}

/** What a person writes to add a server. */
export interface Writing {
  readonly name: string;
  /** An address, or program and arguments, one a line. */
  readonly launch: string;
  /** Names of variables, one a line; for an address `Header=VARIABLE`. */
  readonly inherit: string;
}

/** How the server is reached that was written down. */
export function launchOf({ launch, inherit }: Writing): McpLaunch {
  const lines = linesOf(launch);
  const [first = ''] = lines;
  const names = linesOf(inherit);
  if (lines.length === 1 && /^https?:\/\//i.test(first)) {
    const headers = Object.fromEntries(names.map(pairOf));
    return { kind: 'http', url: first, ...(names.length > 0 && { headers }) };
  }
  return { kind: 'program', argv: lines, ...(names.length > 0 && { inherit: names }) };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** `Header=VARIABLE`; one name alone stands for both. */
function pairOf(line: string): [string, string] {
  const [header = '', variable = header] = line.split('=').map((word) => word.trim());
  return [header, variable];
}

/** What holds until a person says otherwise. */
const GRAVE: McpToolChoice = { risks: ['destructive', 'network'], idempotent: false };

/**
 * What holds for each tool of a server, by the server's names for them: as chosen so far, with other risks if given.
 * What was said of a tool that is another one now does not hold for it.
 */
export function choicesOf(
  { tools, changes }: Pick<McpServer, 'tools' | 'changes'>,
  chosen: Readonly<Record<string, McpToolChoice>> = {},
  risks?: McpToolChoice['risks'],
): Record<string, McpToolChoice> {
  const changed = new Set(changes.map(({ tool }) => tool));
  return Object.fromEntries(
    tools.map(({ tool, choice }) => {
      const before = chosen[tool] ?? (changed.has(tool) ? GRAVE : choice);
      return [tool, { ...before, risks: risks ?? before.risks }];
    }),
  );
}

/** The risks that all have. */
export function shared(choices: readonly McpToolChoice[]): McpToolChoice['risks'] {
  const [first, ...rest] = choices;
  return first ? first.risks.filter((risk) => rest.every(({ risks }) => risks.includes(risk))) : [];
}
