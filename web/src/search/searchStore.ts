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
  await ask(false);
}

/** Asks again for what is shown, as the files are now. Who went to a place keeps what they see. */
export async function searchAgain(): Promise<void> {
  const { answered, busy, hasMoved, text } = useSearch.getState();
  if (busy || hasMoved || answered === '' || answered !== askedIn(text)) return;
  await ask(true);
}

/** Chooses a place. */
export function goTo(at: number): void {
  useSearch.setState({ at, hasMoved: true });
}

/** Words that may go on first; then, after a pause, the meaning of all, where a model knows it. */
async function quickly(): Promise<void> {
  const begun = performance.now();
  if (!(await ask(true))) return;
  if (useSearch.getState().answer?.index.meaning.model == null) return;
  timer = setTimeout(() => void ask(false), Math.max(0, FULL - (performance.now() - begun)));
}

async function ask(typing: boolean): Promise<boolean> {
  const query = askedIn(useSearch.getState().text);
  if (query === '') return false;
  running.abort();
  const mine = new AbortController();
  running = mine;
  useSearch.setState({ busy: true });
  try {
    const answer = await searchFor({ query, limit: LIMIT, typing }, mine.signal);
    if (mine.signal.aborted) return false;
    useSearch.setState((state) => ({ ...taken(state, query, answer, typing), busy: false, failure: null }));
    return true;
  } catch (error) {
    if (mine.signal.aborted) return false;
    const failure = failureOf(error);
    // Hits of an earlier text are no answer to a query that is wrong.
    useSearch.setState({ busy: false, failure, ...(!isPassing(failure) && { answer: null, answered: '' }) });
    return false;
  }
}

function taken(state: SearchState, query: string, answer: SearchAnswer, typing: boolean): Partial<SearchState> {
  const isSame = state.answered === query;
  if (isSame && state.hasMoved) return { answer: { ...answer, hits: state.answer?.hits ?? answer.hits } };
  return { answer: typing ? answer : merged(isSame ? state.answer : null, answer), answered: query };
}
