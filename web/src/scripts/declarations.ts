/** The text of `aside.d.ts` as a tree: nouns, actions, arguments. Pure. The server writes one thing a line; that is relied on. */

/** A noun, an action, or an argument. */
export interface Declared {
  readonly name: string;
  readonly kind: 'noun' | 'action' | 'argument';
  readonly doc: string;
  /** The type in one line; of an action, that of its arguments. */
  readonly type: string;
  readonly optional: boolean;
  readonly members: readonly Declared[];
}

interface Open {
  name: string;
  kind: Declared['kind'];
  doc: string;
  type: string;
  optional: boolean;
  members: Declared[];
}

const BEGIN = 'declare const aside: {';
const NAME = String.raw`("(?:[^"\\]|\\.)*"|[\w$]+)`;
const NOUN = new RegExp(`^readonly ${NAME}: \\{$`);
const ACTION = new RegExp(`^${NAME}\\((\\w+)(\\?)?: (.*)$`);
const ARGUMENT = new RegExp(`^${NAME}(\\?)?: (.*)$`);

/** Reads the declarations of `aside`; empty where there are none. */
export function parseDeclarations(text: string): readonly Declared[] {
  const begin = text.indexOf(BEGIN);
  if (begin < 0) return [];
  const root: Open = { name: 'aside', kind: 'noun', doc: '', type: '', optional: false, members: [] };
  const open = [root];
  let doc = '';
  for (const whole of text.slice(begin + BEGIN.length).split('\n')) {
    const line = whole.trim();
    if (line.startsWith('/**')) {
      doc = line.slice(3, -2).trim().replaceAll('*\\/', '*/');
      continue;
    }
    if (line.startsWith('}')) {
      // Another object of the same union goes on.
      if (line.endsWith('{')) continue;
      if (open.length === 1) break;
      close(open, line);
    } else {
      begins(open, line, doc);
    }
    doc = '';
  }
  return root.members;
}

/** Takes in the line that begins something; what takes several lines stays open. */
function begins(open: Open[], line: string, doc: string): void {
  const [, noun] = NOUN.exec(line) ?? [];
  const [, action, parameter, lacking, wanted] = ACTION.exec(line) ?? [];
  const [, argument, missing, type] = ARGUMENT.exec(line) ?? [];
  if (noun !== undefined) open.push(begun('noun', noun, doc, '', false));
  else if (action !== undefined) {
    add(open, begun('action', action, doc, wanted ?? '', lacking === '?' || parameter !== 'args'), wanted);
  } else if (argument !== undefined) add(open, begun('argument', argument, doc, type ?? '', missing === '?'), type);
}

function begun(kind: Declared['kind'], name: string, doc: string, type: string, optional: boolean): Open {
  return { name: name.startsWith('"') ? (JSON.parse(name) as string) : name, kind, doc, type, optional, members: [] };
}

function add(open: Open[], one: Open, type = ''): void {
  if (type.endsWith('{')) open.push(one);
  else open.at(-1)?.members.push({ ...one, type: withoutEnd(type) });
}

function close(open: Open[], line: string): void {
  const one = open.pop();
  if (!one) return;
  open.at(-1)?.members.push({ ...one, type: one.kind === 'noun' ? '' : `${one.type}…${withoutEnd(line)}` });
}

/** Without the answer of an action and the semicolon. */
const withoutEnd = (type: string) => type.replace(/\): Promise<.*>;$|;$/, '');

/** Finds what a path of names leads to. */
export function find(all: readonly Declared[], names: readonly string[]): Declared | undefined {
  const [first, ...rest] = names;
  const found = all.find(({ name }) => name === first);
  return found && rest.length > 0 ? find(found.members, rest) : found;
}

/** "file.copy({ from, to, overwrite? })". */
export function signature(path: readonly string[], action: Declared): string {
  const names = action.members.map(({ name, optional }) => `${name}${optional ? '?' : ''}`);
  const args = names.length > 0 ? `{ ${names.join(', ')} }` : action.type;
  return `${path.join('.')}(${args === 'Record<string, never>' ? '' : args})`;
}
