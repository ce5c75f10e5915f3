// Threads of the sidebar, kept on this machine for each workspace: what was asked of the history, and the answers. What is kept
// is of all windows: each puts its own threads into it, and takes over those of the others.
import { create } from 'zustand';
import { basePath } from '../app/base';
import { useSession } from '../app/session';
import type { MetaAgentAsked, MetaAgentLine } from '../wire/gen/types';
import { failureOf, newKey, requestLines } from '../wire/requests';
import { begun, conversation, type Exchange, heard } from './answers';

/** A thread of the sidebar. */
export interface Talk {
  id: string;
  exchanges: readonly Exchange[];
  /** When something was asked last, in milliseconds. */
  asked?: number;
}

interface Talks {
  talks: readonly Talk[];
  current: string | null;
  model: string | null;
  tools: boolean;
}

const NAME = 'aside.history.talks';
/** More are forgotten, the oldest first. */
const MOST = 20;
/** Milliseconds that the pieces of an answer gather before they are kept. */
const PAUSE = 500;
const running = new Map<string, AbortController>();

/** An answer that was coming when its window closed comes no more; one that still comes is taken over with its next piece. */
const ended = (one: Exchange): Exchange =>
  one.ended ? one : { ...one, ended: true, error: 'The answer was interrupted.' };

/** The threads, the newest first; the model, and whether it may look at the history. */
export const useTalks = create<Talks>(() => {
  const kept = read();
  return { ...kept, talks: kept.talks.map((talk) => ({ ...talk, exchanges: talk.exchanges.map(ended) })) };
});

useTalks.subscribe((state, before) => {
  if (state.current !== before.current || state.model !== before.model || state.tools !== before.tools) keep();
});

window.addEventListener('storage', ({ key }) => key === place() && takeOver());
window.addEventListener('pagehide', () => changed.size > 0 && keep());

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
  running.get(id)?.abort();
  changed.add(id);
  useTalks.setState(({ talks, current }) => ({
    talks: talks.filter((talk) => talk.id !== id),
    current: current === id ? null : current,
  }));
  keep();
}

/** Ends an answer that is coming; of one that another window was hearing and that never ended, the wait for it. */
export function stopAnswer(id: string): void {
  const abort = running.get(id);
  if (abort) abort.abort();
  else hear(id, { type: 'error', message: 'Stopped.', ts: '' });
}

/** Asks in the thread that is shown, or in a new one. */
export async function ask(question: string, model: string): Promise<void> {
  const { talks, current, tools } = useTalks.getState();
  const talk = talks.find(({ id }) => id === current) ?? { id: newKey(), exchanges: [] };
  const exchanges = [...talk.exchanges, begun(question)];
  const rest = talks.filter(({ id }) => id !== talk.id);
  changed.add(talk.id);
  useTalks.setState({ talks: [{ id: talk.id, exchanges, asked: Date.now() }, ...rest], current: talk.id });
  keep();
  const messages = [...conversation(talk.exchanges), { role: 'user', content: question }];
  const body: MetaAgentAsked = { messages, model, tools_enabled: tools };
  const abort = new AbortController();
  running.set(talk.id, abort);
  try {
    for await (const line of requestLines<MetaAgentLine>('../meta-agent/chat', body, abort.signal)) hear(talk.id, line);
    hear(talk.id, { type: 'error', message: 'The answer was interrupted.', ts: '' });
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
  changed.add(id);
  if (line.type === 'done' || line.type === 'error') keep();
  else timer ??= setTimeout(keep, PAUSE);
}

/** Threads of this window that are not kept as they are now. */
const changed = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps what this window has changed, beside what others have. */
function keep(): void {
  clearTimeout(timer);
  timer = undefined;
  const { talks: own, ...rest } = useTalks.getState();
  const others = read().talks.filter(({ id }) => !changed.has(id));
  const talks = newestFirst([...others, ...own.filter(({ id }) => changed.has(id))]).slice(0, MOST);
  changed.clear();
  try {
    localStorage.setItem(place(), JSON.stringify({ ...rest, talks }));
  } catch {
    // Without room they last as long as the window.
  }
}

/** Shows what other windows have kept; one that is answered here is ahead of what is kept, unless it was forgotten there. */
function takeOver(): void {
  if (changed.size > 0) keep();
  const kept = read().talks;
  for (const [id, abort] of running) if (!kept.some((talk) => talk.id === id)) abort.abort();
  useTalks.setState(({ talks: own, current }) => ({
    talks: kept.map((talk) => (running.has(talk.id) ? (own.find(({ id }) => id === talk.id) ?? talk) : talk)),
    current: kept.some(({ id }) => id === current) ? current : null,
  }));
}

const newestFirst = (talks: Talk[]) => talks.toSorted((one, two) => (two.asked ?? 0) - (one.asked ?? 0));

/** Where it is kept. */
function place(): string {
  const { state } = useSession.getState();
  return `${NAME} ${basePath}${state.phase === 'open' ? state.session.workspace : ''}`;
}

/** What is kept; what was before workspaces had their own is in each. */
function read(): Talks {
  const nothing: Talks = { talks: [], current: null, model: null, tools: true };
  try {
    const text = localStorage.getItem(place()) ?? localStorage.getItem(NAME) ?? '{}';
    return { ...nothing, ...(JSON.parse(text) as Partial<Talks>) };
  } catch {
    return nothing;
  }
}
