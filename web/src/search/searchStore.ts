// The search of this window: its text, and the newest answer.
import { create } from 'zustand';
import type { Failure, SearchAnswer } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { searchFor } from './api';
import { merged } from './cards';
import { isPassing } from './failures';
import { askedIn } from './filters';
import { keep, readKept } from './kept';

/** Milliseconds after a letter before the words are looked up, and before their meaning is. */
const QUICK = 60;
const FULL = 450;
const LIMIT = 60;
const KEY = 'aside.search';

/** The state of the search. */
export interface SearchState {
  text: string;
  answer: SearchAnswer | null;
  /** The text that was answered. */
  answered: string;
  failure: Failure | null;
  busy: boolean;
  /** The chosen place, counted over all cards. */
  at: number;
  /** The person went to a place: the order stays as it is. */
  hasMoved: boolean;
  /** How often the search was asked for: each time the keyboard comes to its box. */
  asked: number;
}

/** The search, for components. */
export const useSearch = create<SearchState>(() => ({
  text: readKept(KEY, { text: '' }).text,
  answer: null,
  answered: '',
  failure: null,
  busy: false,
  at: 0,
  hasMoved: false,
  asked: 0,
}));

let timer: ReturnType<typeof setTimeout> | undefined;
let running = new AbortController();

/** Takes in what is typed; the answer follows. */
export function type(text: string): void {
  keep(KEY, { text });
  const isSame = askedIn(text) === askedIn(useSearch.getState().text);
  useSearch.setState({ text, ...(!isSame && { at: 0, hasMoved: false }) });
  if (isSame) return;
  clearTimeout(timer);
  running.abort();
  if (askedIn(text) === '') {
    useSearch.setState({ answer: null, answered: '', failure: null, busy: false });
    return;
  }
  useSearch.setState({ busy: true });
  timer = setTimeout(() => void quickly(), QUICK);
}

/** Asks for the whole text at once. */
export async function searchNow(): Promise<void> {
  clearTimeout(timer);
  await ask(whole);
}

/** Asks again for what is shown, as the files are now. */
export async function searchAgain(): Promise<void> {
  const { answered, busy, text } = useSearch.getState();
  if (!busy && answered !== '' && answered === askedIn(text)) await ask(whole);
}

/** Chooses a place. */
export function goTo(at: number): void {
  useSearch.setState({ at, hasMoved: true });
}

/** Words that may go on first; then, after a pause, the meaning of all, where a model knows it. */
async function quickly(): Promise<void> {
  const begun = performance.now();
  if (!(await ask(words))) return;
  const { answer } = useSearch.getState();
  if (answer?.index.meaning.model == null) return;
  const more: Look = async (query, signal) => merged(answer, await meaning(query, signal));
  timer = setTimeout(() => void ask(more), Math.max(0, FULL - (performance.now() - begun)));
}

type Look = (query: string, signal: AbortSignal) => Promise<SearchAnswer>;

/** The last word may go on. Its meaning is not known then. */
const words: Look = (query, signal) => searchFor({ query, limit: LIMIT, typing: true }, signal);
const meaning: Look = (query, signal) => searchFor({ query, limit: LIMIT, typing: false }, signal);

/** Both, one after the other. */
const whole: Look = async (query, signal) => {
  const quick = await words(query, signal);
  return quick.index.meaning.model === null ? quick : merged(quick, await meaning(query, signal));
};

async function ask(look: Look): Promise<boolean> {
  const query = askedIn(useSearch.getState().text);
  if (query === '') return false;
  running.abort();
  const mine = new AbortController();
  running = mine;
  useSearch.setState({ busy: true });
  try {
    const answer = await look(query, mine.signal);
    if (mine.signal.aborted) return false;
    useSearch.setState((state) => ({
      answer: kept(state, query, answer),
      answered: query,
      busy: false,
      failure: null,
    }));
    return true;
  } catch (error) {
    if (mine.signal.aborted) return false;
    const failure = failureOf(error);
    // Hits of an earlier text are no answer to a query that is wrong.
    useSearch.setState({ busy: false, failure, ...(!isPassing(failure) && { answer: null, answered: '' }) });
    return false;
  }
}

/** Keeps the order for a person who went to a place, without documents that are gone. */
function kept({ answered, answer: before, hasMoved }: SearchState, query: string, answer: SearchAnswer): SearchAnswer {
  if (answered !== query || !hasMoved || before === null) return answer;
  const known = new Set(answer.hits.map(({ path }) => path));
  return { ...answer, hits: before.hits.filter(({ path }) => known.has(path)) };
}
