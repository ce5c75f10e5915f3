/** Whether a message is about something else than its conversation: what was said there costs, and leads astray. */
import { create } from 'zustand';
import { useFocus } from '../editor/focus';
import type { ThreadId } from '../wire/gen/types';
import { NEW, setDraft } from './drafts';
import type { ThreadView, TurnView } from './events';
import { useThreads } from './state';
import { showThread } from './store';

/** Turns that a message is held against, the last ones. */
const LAST = 3;
/** Words of a message that tell what it is about; of fewer nobody knows. */
const LEAST = 6;
/** Of its words so many in a hundred are in what was said, if it is about the same. */
const SHARED = 20;

/** Tells whether a message, written while this file is looked at, seems to begin something else: no file and hardly a word is shared. */
export function isOtherSubject(view: ThreadView, text: string, path: string | null): boolean {
  const { turns } = view;
  if (turns.length === 0 || turns.at(-1)?.end === null) return false;
  const words = [...tellingWords(text)];
  if (words.length < LEAST) return false;
  if (path !== null && turns.some((turn) => filesOf(turn).includes(path))) return false;
  if (turns.flatMap(filesOf).some((file) => text.includes(file.slice(file.lastIndexOf('/') + 1)))) return false;
  const said = tellingWords(turns.slice(-LAST).map(saidIn).join('\n'));
  const shared = words.filter((word) => said.has(word)).length;
  return shared * 100 < words.length * SHARED;
}

function filesOf({ focus, chips }: TurnView): string[] {
  return [focus?.path, ...chips.map(({ path }) => path)].filter((path) => path != null);
}

function saidIn({ text, steps, chips }: TurnView): string {
  return [text, ...steps.map((step) => step.text.text), ...chips.map(({ label }) => label)].join('\n');
}

/** Words of four letters and more by how they begin, so that endings make no difference. Short ones tell nothing. */
function tellingWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)).map((word) => word.slice(0, 6)));
}

const COMMON = new Set(
  'about after again also another because before below could does done from have here into just like make more most need only other over please same should some such than that their them then there these they this those through very want what when where which while will with without would your'.split(
    ' ',
  ),
);

/** Threads in which the person goes on whatever they write, as long as the window is open. */
const useStaying = create<{ readonly threads: ReadonlySet<ThreadId> }>(() => ({ threads: new Set() }));

/** Tells whether the person is to be asked if they want a new thread for what they write. */
export function useOtherSubject(thread: ThreadId, draft: string): boolean {
  const view = useThreads(({ views }) => views.get(thread));
  const path = useFocus(({ focus }) => focus?.path ?? null);
  const stays = useStaying(({ threads }) => threads.has(thread));
  return !stays && view !== undefined && isOtherSubject(view, draft, path);
}

/** Goes on in the thread, and asks no more. */
export function stayIn(thread: ThreadId): void {
  useStaying.setState(({ threads }) => ({ threads: new Set([...threads, thread]) }));
}

/** Takes what is written along into a thread that has not begun. */
export function goOnAnew(thread: ThreadId, draft: string): void {
  setDraft(NEW, draft);
  setDraft(thread, '');
  showThread(null);
  requestAnimationFrame(() => window.dispatchEvent(new Event('aside:compose')));
}
