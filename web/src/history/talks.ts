// Threads of the sidebar, kept on this machine: what was asked of the history, and the answers.
import { create } from 'zustand';
import type { MetaAgentAsked, MetaAgentLine } from '../wire/gen/types';
import { failureOf, newKey, requestLines } from '../wire/requests';
import { begun, conversation, type Exchange, heard } from './answers';

/** A thread of the sidebar. */
export interface Talk {
  id: string;
  exchanges: readonly Exchange[];
}

interface Talks {
  talks: readonly Talk[];
  current: string | null;
  model: string | null;
  tools: boolean;
}

const KEY = 'aside.history.talks';
/** More are forgotten, the oldest first. */
const MOST = 20;
const running = new Map<string, AbortController>();

/** The threads, the model and whether it may look at the history. */
export const useTalks = create<Talks>(() => kept());

useTalks.subscribe((state) => {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...state, talks: state.talks.slice(0, MOST) }));
  } catch {
    // Without room they last as long as the window.
  }
});

/** Begins a thread. */
export function newTalk(): void {
  useTalks.setState({ current: null });
}

/** Shows a thread. */
export function showTalk(id: string): void {
  useTalks.setState({ current: id });
}

/** Forgets a thread, and ends its answer if one is coming. */
export function forgetTalk(id: string): void {
  stopAnswer(id);
  useTalks.setState(({ talks, current }) => ({
    talks: talks.filter((talk) => talk.id !== id),
    current: current === id ? null : current,
  }));
}

/** Ends an answer that is coming. */
export function stopAnswer(id: string): void {
  running.get(id)?.abort();
}

/** Asks in the thread that is shown, or in a new one. */
export async function ask(question: string, model: string): Promise<void> {
  const { talks, current, tools } = useTalks.getState();
  const talk = talks.find(({ id }) => id === current) ?? { id: newKey(), exchanges: [] };
  const exchanges = [...talk.exchanges, begun(question)];
  const rest = talks.filter(({ id }) => id !== talk.id);
  useTalks.setState({ talks: [{ id: talk.id, exchanges }, ...rest], current: talk.id });
  const messages = [...conversation(talk.exchanges), { role: 'user', content: question }];
  const body: MetaAgentAsked = { messages, model, tools_enabled: tools };
  const abort = new AbortController();
  running.set(talk.id, abort);
  try {
    for await (const line of requestLines<MetaAgentLine>('../meta-agent/chat', body, abort.signal)) hear(talk.id, line);
    hear(talk.id, { type: 'error', message: 'The answer broke off.', ts: '' });
  } catch (error) {
    hear(talk.id, { type: 'error', message: abort.signal.aborted ? 'Stopped.' : failureOf(error).message, ts: '' });
  } finally {
    running.delete(talk.id);
  }
}

/** The last line counts: what comes after the end is passed. */
function hear(id: string, line: MetaAgentLine): void {
  const next = (exchange: Exchange, last: boolean) => (last && !exchange.ended ? heard(exchange, line) : exchange);
  useTalks.setState(({ talks }) => ({
    talks: talks.map((talk) =>
      talk.id === id
        ? { ...talk, exchanges: talk.exchanges.map((one, at, all) => next(one, at === all.length - 1)) }
        : talk,
    ),
  }));
}

function kept(): Talks {
  const nothing: Talks = { talks: [], current: null, model: null, tools: true };
  try {
    const known = { ...nothing, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Talks>) };
    // An answer that was coming when the window closed comes no more.
    const ended = (one: Exchange): Exchange =>
      one.ended ? one : { ...one, ended: true, error: 'The answer broke off.' };
    return { ...known, talks: known.talks.map((talk) => ({ ...talk, exchanges: talk.exchanges.map(ended) })) };
  } catch {
    return nothing;
  }
}
