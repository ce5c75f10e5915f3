/** What a person asks of the assistant: send, stop, go on, change a thread. */
import { doAction } from '../app/actionFlow';
import { untilSynced } from '../documents/unsynced';
import { useFocus } from '../editor/focus';
import { type Asked, neededFor } from '../models/found';
import { sideDocument } from '../side/modes';
import { announce } from '../ui/Announcer';
import { toast, toastFailure } from '../ui/Toast';
import { windowSituation } from '../window/situation';
import type {
  Attached,
  ChangeThread,
  Focus,
  ModelRef,
  Models,
  NewThread,
  ReviewMode,
  StartTurn,
  Submitted,
  Thread,
  ThreadId,
  TurnStarted,
} from '../wire/gen/types';
import { failureOf, newKey, request } from '../wire/requests';
import { known } from '../wire/resource';
import { attachedTo, attachToBegun, detach } from './attached';
import { NEW, setDraft, useDrafts } from './drafts';
import { type Scope, withScope } from './focusWords';
import { useNewThinking } from './newThinking';
import { useNewWithout } from './newWithout';
import { useSending } from './sending';
import { useThreads } from './state';
import { learnThread, showThread } from './store';
import type { Runs } from './words';

/** Sends the draft of the thread that is shown, and begins the thread with it if need be. */
export async function sendDraft(how: HowSent = {}): Promise<void> {
  const text = draftOf(useThreads.getState().current).trim();
  if (text === '') return;
  const thread = await send(text, how);
  // What was written meanwhile stays.
  if (thread !== null && draftOf(thread).trim() === text) setDraft(thread, '');
}

function draftOf(thread: ThreadId | null): string {
  return useDrafts.getState().drafts[thread ?? NEW] ?? '';
}

/** How a message is sent. */
interface HowSent {
  /** The person has just let it go out. */
  readonly allowed?: boolean;
  /** The thread it is sent in; else the one that is shown now. */
  readonly thread?: ThreadId;
  /** The key it goes out under once; else one of its own. */
  readonly key?: string;
  /** Where the person looked, and what they attached; else as it is now. */
  readonly focus?: Focus | null;
  readonly attached?: readonly Attached[];
  /** In a new thread of the Navigator that is not shown, whatever is being written elsewhere. */
  readonly fresh?: boolean;
}

/** Sends a message in the thread that is shown now, whatever is shown later; returns that thread if it went out. */
export async function send(
  text: string,
  { allowed = false, fresh = false, ...how }: HowSent = {},
): Promise<ThreadId | null> {
  if (useSending.getState().busy) return null;
  useSending.setState({ busy: true, problem: null, held: null });
  const focus = how.focus === undefined ? focusToSend() : how.focus;
  let thread = how.thread ?? (fresh ? null : useThreads.getState().current);
  try {
    if (!allowed && (await isHeld(thread, text))) return null;
    await untilSynced();
    thread ??= await begin(focus, fresh);
    const attached = [...(how.attached ?? attachedTo(thread))];
    const key = how.key ?? keyOf(thread, text, attached);
    const navigates = fresh || useThreads.getState().threads.get(thread)?.navigator;
    const body: StartTurn = {
      text,
      key,
      ...(focus && { focus }),
      ...(attached.length > 0 && { attached }),
      ...(navigates && { window: windowSituation() }),
    };
    await request<TurnStarted>('POST', `threads/${thread}/turns`, body);
    unsent = null;
    useSending.setState({ scope: 'auto' });
    detach(thread, ...attached);
    announce('Assistant is answering');
    return thread;
  } catch (error) {
    const failure = failureOf(error);
    useSending.setState({ problem: { thread, failure } });
    // Whoever began the thread tells why it failed.
    if (fresh) return null;
    if (useThreads.getState().current === thread) announce(failure.message, 'assertive');
    else toastFailure(failure);
    return null;
  } finally {
    useSending.setState({ busy: false });
  }
}

/** The message that did not go out, as far as is known: tried again under its key it is asked once. */
let unsent: { readonly message: string; readonly key: string } | null = null;

function keyOf(thread: ThreadId, text: string, attached: readonly Attached[]): string {
  const message = JSON.stringify([thread, text, attached]);
  if (unsent?.message !== message) unsent = { message, key: newKey() };
  return unsent.key;
}

/** The thread that was not begun, as far as is known: tried again under its key it is begun once. */
let unbegun: { readonly words: string; readonly key: string } | null = null;

function keyOfBeginning(body: NewThread): string {
  const words = JSON.stringify(body);
  if (unbegun?.words !== words) unbegun = { words, key: newKey() };
  return unbegun.key;
}

/** Where the person looks, as far as it goes along. */
export function focusToSend(): Focus | null {
  return withScope(useFocus.getState().focus, useSending.getState().scope);
}

/** Chooses what of the file goes along with the next message. */
export function chooseScope(scope: Scope): void {
  useSending.setState({ scope });
}

/** Keeps back what a person has to let go out first; the words stay in the composer. */
async function isHeld(thread: ThreadId | null, text: string): Promise<boolean> {
  const models = await known<Models>('models');
  const model = thread ? useThreads.getState().threads.get(thread)?.model : useSending.getState().newModel;
  const asked = models && neededFor(models, model ?? models.chosen ?? '');
  if (asked) hold(thread, text, asked);
  return !!asked;
}

/** Does the same for a message that the server did not let out, by what it said of where it would have gone. */
export async function holdFor(text: string, data: unknown): Promise<void> {
  const { provider, host } = (data ?? {}) as { provider?: unknown; host?: unknown };
  if (typeof provider !== 'string' || typeof host !== 'string') return;
  const { current } = useThreads.getState();
  const found = (await known<Models>('models'))?.providers.find(({ id }) => id === provider);
  hold(current, text, { provider, host, name: found?.name ?? provider });
}

function hold(thread: ThreadId | null, text: string, asked: Asked): void {
  if (draftOf(thread).trim() === '') setDraft(thread ?? NEW, text);
  useSending.setState({ held: { thread, asked }, problem: null });
  announce(`Nothing sent yet: ${asked.name} needs your approval`, 'assertive');
}

async function begin(focus: Focus | null, fresh: boolean): Promise<ThreadId> {
  const { newMode, newRuns, newModel } = useSending.getState();
  // The thread keeps the model that was shown when it began.
  const model = newModel ?? (await known<Models>('models'))?.chosen;
  const without = [...useNewWithout.getState().without];
  const { thinking } = useNewThinking.getState();
  const beside = focus?.path ?? sideDocument();
  const body: NewThread = {
    mode: newMode,
    ...asked(newRuns, beside),
    without,
    thinking,
    ...(model && { model }),
    // The Navigator is beside no document. A picture or a PDF has no cursor in it, and is looked at all the same.
    ...(fresh ? { navigator: {} } : beside !== null && { document: beside }),
  };
  const thread = await request<Thread>('POST', 'threads', { ...body, key: keyOfBeginning(body) });
  unbegun = null;
  learnThread(thread);
  if (fresh) return thread.id;
  const draft = draftOf(null);
  if (draft) {
    setDraft(thread.id, draft);
    setDraft(NEW, '');
  }
  attachToBegun(thread.id);
  // The person may have gone on to another one.
  if (useThreads.getState().current === null) showThread(thread.id);
  useSending.setState({ newMode: 'review_each', newRuns: 'ask', newModel: null });
  useNewWithout.setState({ without: [] });
  useNewThinking.setState({ thinking: 'usual' });
  return thread.id;
}

/** Stops the turn that runs, also at the model. */
export async function stop(thread: ThreadId): Promise<void> {
  await attempt(() => request('POST', `threads/${thread}/stop`));
}

/** Changes how edits arrive, what runs, and what goes along; tells whether it did. */
export function changeThread(thread: ThreadId, change: ChangeThread): Promise<boolean> {
  return attempt(async () => learnThread(await request<Thread>('PATCH', `threads/${thread}`, change)));
}

/** Gives a thread another title; tells whether it did. */
export const renameThread = (thread: ThreadId, title: string) => changeBy('thread.rename', { thread, title });

/** Puts a thread away or takes it back; tells whether it did. */
export const archiveThread = (thread: ThreadId, archived: boolean) => changeBy('thread.archive', { thread, archived });

/** Makes a model answer in a thread; tells whether it does. */
export const setModelOf = (thread: ThreadId, model: ModelRef) => changeBy('thread.set_model', { thread, model });

function changeBy(action_type: string, args: object): Promise<boolean> {
  const ended = ({ outcome }: Submitted) => {
    if (outcome?.kind === 'done') learnThread(outcome.observation.data as Thread);
  };
  return doAction({ action_type, args }, { ended });
}

/** Puts a thread away, and begins a new one in its place if it is shown. */
export async function finishThread({ id, title }: Thread): Promise<void> {
  if (!(await archiveThread(id, true))) return;
  if (useThreads.getState().current === id) {
    showThread(null);
    requestAnimationFrame(() => window.dispatchEvent(new Event('aside:compose')));
  }
  const takeBack = () => void archiveThread(id, false).then((back) => back && showThread(id));
  toast(`Archived: ${title || 'Untitled'}`, { label: 'Undo', run: takeBack });
}

/** Deletes a thread after the person has confirmed it; that can be taken back for some days. */
export async function deleteThread({ id, title }: Thread): Promise<void> {
  await doAction({ action_type: 'thread.delete', args: { thread: id } }, { done: `Deleted ${title}` });
}

/** Says in what way edits reach the document, in the thread that is shown or in the one that is begun next. */
export function chooseMode(mode: ReviewMode): void {
  const { current } = useThreads.getState();
  if (current) void changeThread(current, { mode });
  else useSending.setState({ newMode: mode });
}

/** Says whether what is run in the notebook is asked about, in the thread that is shown or in the one that is begun next. */
export function chooseRuns(runs: Runs, notebook: string): void {
  const { current } = useThreads.getState();
  if (current) void changeThread(current, { runs_after_outputs: null, ...asked(runs, notebook) });
  else useSending.setState({ newRuns: runs });
}

/** What a thread is told of how cells are run. */
function asked(runs: Runs, notebook: string | null): Pick<NewThread, 'runs' | 'runs_after_outputs'> {
  if (runs !== 'after_outputs') return { runs };
  return { runs: 'auto', ...(notebook?.match(/\.ipynb$/i) && { runs_after_outputs: notebook }) };
}

async function attempt(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    toastFailure(failureOf(error));
    return false;
  }
}
