// *Find in files* of this window: what is looked for, and what was found so far.
import { create } from 'zustand';
import { announce } from '../ui/Announcer';
import type { FindOptions } from '../ui/Find';
import type { Failure, FindDone, FindInFiles, FoundFile } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { findInFiles } from './api';
import { type Dismissed, findRows, inOrder, NOTHING_DISMISSED } from './findRows';
import { keep, readKept } from './kept';

/** The text and the choices of the person. */
export interface FindForm extends FindOptions {
  readonly text: string;
  readonly replacement: string;
  /** Globs, with commas between them. */
  readonly include: string;
  readonly exclude: string;
}

/** Its state: the form, and the results so far. */
export interface FindState extends FindForm {
  isReplacing: boolean;
  showsGlobs: boolean;
  files: readonly FoundFile[];
  /** Set once all files were looked through. */
  done: FindDone | null;
  failure: Failure | null;
  busy: boolean;
  folded: ReadonlySet<string>;
  dismissed: Dismissed;
  /** The id of the chosen row. */
  current: string | null;
  asked: number;
}

const KEY = 'aside.find';
/** Milliseconds after a letter before it is looked for. */
const PAUSE = 250;

const FIRST = {
  text: '',
  replacement: '',
  include: '',
  exclude: '',
  matchCase: false,
  wholeWord: false,
  regexp: false,
  isReplacing: false,
  showsGlobs: false,
};

const EMPTY = {
  files: [],
  done: null,
  failure: null,
  busy: false,
  folded: new Set<string>(),
  dismissed: NOTHING_DISMISSED,
  current: null,
};

/** *Find in files*, for components. */
export const useFind = create<FindState>(() => ({ ...readKept(KEY, FIRST), ...EMPTY, asked: 0 }));

useFind.subscribe((state, before) => {
  const names = Object.keys(FIRST) as (keyof typeof FIRST)[];
  if (names.some((name) => state[name] !== before[name])) {
    keep(KEY, Object.fromEntries(names.map((name) => [name, state[name]])));
  }
});

let timer: ReturnType<typeof setTimeout> | undefined;
let running = new AbortController();

/** Takes in what is typed or chosen; what is found follows. */
export function changeFind(changed: Partial<FindForm>): void {
  useFind.setState(changed);
  if (Object.keys(changed).every((name) => name === 'replacement')) return;
  clearTimeout(timer);
  timer = setTimeout(() => void findNow(), PAUSE);
}

/** Looks for it now, from the beginning. */
export async function findNow(): Promise<void> {
  clearTimeout(timer);
  running.abort();
  const mine = new AbortController();
  running = mine;
  const query = findQueryOf(useFind.getState());
  useFind.setState({ ...EMPTY, busy: query.text !== '' });
  if (query.text === '') return;
  await follow(query, mine.signal, (files) =>
    useFind.setState((state) => ({ files: inOrder([...state.files, ...files]) })),
  );
  if (mine.signal.aborted) return;
  announce(useFind.getState().failure?.message ?? countWords(useFind.getState()));
}

/** Looks again, as the files are now; what is shown stays until all is found. */
export async function findAgain(): Promise<void> {
  const { busy, done } = useFind.getState();
  if (busy || done === null) return;
  running.abort();
  const mine = new AbortController();
  running = mine;
  const found: FoundFile[] = [];
  await follow(findQueryOf(useFind.getState()), mine.signal, (files) => found.push(...files));
  if (!mine.signal.aborted) useFind.setState({ files: inOrder(found) });
}

/** Ends the search that runs. */
export function stopFind(): void {
  clearTimeout(timer);
  running.abort();
  useFind.setState({ busy: false });
}

/** Forgets text and results. */
export function clearFind(): void {
  stopFind();
  useFind.setState({ ...EMPTY, text: '' });
}

/** The question that a form asks. */
export function findQueryOf({ text, regexp, matchCase, wholeWord, include, exclude }: FindForm): FindInFiles {
  const [including, excluding] = [globsIn(include), globsIn(exclude)];
  return {
    text,
    ...(regexp && { regex: true }),
    ...(matchCase && { match_case: true }),
    ...(wholeWord && { whole_words: true }),
    ...(including.length > 0 && { include: including }),
    ...(excluding.length > 0 && { exclude: excluding }),
  };
}

/** `12 lines in 3 files`, without those that were dismissed. */
export function countWords({ files, done, dismissed }: Pick<FindState, 'files' | 'done' | 'dismissed'>): string {
  const shown = findRows(files, ALL_OPEN, dismissed);
  const inFiles = shown.filter(({ kind }) => kind === 'file').length;
  const lines = shown.length - inFiles;
  if (lines === 0) return done ? 'No results' : '';
  const more = done?.more || files.some((file) => file.more) ? '+' : '';
  return `${counted(lines, more, 'line')} in ${counted(inFiles, '', 'file')}`;
}

const ALL_OPEN: ReadonlySet<string> = new Set();

const counted = (count: number, more: string, word: string) =>
  `${count.toLocaleString('en')}${more} ${word}${count === 1 && more === '' ? '' : 's'}`;

/** Globs with commas between them; a comma in braces is part of its glob. */
function globsIn(text: string): string[] {
  const globs = text.match(/(?:\{[^}]*\}|[^,])+/g) ?? [];
  return globs.map((glob) => glob.trim()).filter(Boolean);
}

/** Reads the answer; what comes within a frame is taken in together. */
async function follow(query: FindInFiles, signal: AbortSignal, take: (files: FoundFile[]) => void): Promise<void> {
  let waiting: FoundFile[] = [];
  let frame = 0;
  const flush = () => {
    frame = 0;
    if (!signal.aborted && waiting.length > 0) take(waiting.splice(0));
  };
  try {
    for await (const answer of findInFiles(query, signal)) {
      if ('file' in answer) {
        waiting.push(answer.file);
        frame ||= requestAnimationFrame(flush);
      } else if ('failed' in answer) throw new Error(answer.failed.message);
      else {
        flush();
        if (!signal.aborted) useFind.setState({ done: answer.done });
      }
    }
  } catch (error) {
    if (!signal.aborted) useFind.setState({ failure: failureOf(error) });
  } finally {
    cancelAnimationFrame(frame);
    flush();
    waiting = [];
    if (!signal.aborted) useFind.setState({ busy: false });
  }
}
