/** How far AI goes here, as the server said it last, and a person's word on it. */
import { useEffect } from 'react';
import { create } from 'zustand';
import { isGuest, useSession } from '../app/session';
import { toastFailure } from '../ui/Toast';
import { connection } from '../wire/connection';
import type { AiLevel, AssistantState, Failure, RestrictAssistant } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';

const ROUTE = 'assistant';

interface Known {
  /** What the server said last: it stays while the server can't be reached. */
  readonly state: AssistantState | undefined;
  /** Why the newest word of it could not be read. */
  readonly failure: Failure | undefined;
}

const useKnown = create<Known>(() => ({ state: undefined, failure: undefined }));

let started = false;
let reads = 0;

/** Starts once per window: a change is told at once, also one that comes with the time. */
function startLevel(): void {
  // A guest has no assistant, and is not told of one.
  if (started || isGuest()) return;
  started = true;
  connection.on('assistant', readLevel);
  // What changed while the connection was gone was not heard.
  connection.on('hello', readLevel);
  // Not only once the connection is there: a proxy may let nothing but requests through.
  readLevel();
}

/** Milliseconds after which an answer that has not come is said to be late. */
const LATE = 8000;
const NO_ANSWER: Failure = {
  code: 'no_answer',
  message: 'Couldn’t load the AI restrictions.',
  data: null,
  hint: 'Try again. If it fails again, check that Aside is running.',
};

/** Reads it again. */
export function readLevel(): void {
  const read = ++reads;
  const say = (known: Partial<Known>) => read === reads && useKnown.setState({ failure: undefined, ...known });
  const late = setTimeout(() => say({ failure: NO_ANSWER }), LATE);
  request<AssistantState>('GET', ROUTE)
    .then(
      (state) => say({ state }),
      (error: unknown) => say({ failure: failureOf(error) }),
    )
    .finally(() => clearTimeout(late));
}

/** Who restricts AI and how; undefined until the server has said it. */
export function useAssistantState(): AssistantState | undefined {
  useEffect(startLevel, []);
  return useKnown(({ state }) => state);
}

/** Why it is not known how far AI goes, if it was asked and is not. */
export function useLevelFailure(): Failure | undefined {
  return useKnown(({ state, failure }) => (state ? undefined : failure));
}

/** How far AI goes; undefined until that is known. */
export function useAiLevel(): AiLevel | undefined {
  return useAssistantState()?.level;
}

/** How far the person at this page may be helped: a guest has no assistant, and what is not known is not offered. */
export function useHelpLevel(): AiLevel {
  const level = useAiLevel();
  return useSession(({ state }) => isGuest(state)) ? 'off' : (level ?? 'off');
}

/** The same for whoever is no component. */
export function helpLevel(): AiLevel {
  return isGuest() ? 'off' : (useKnown.getState().state?.level ?? 'off');
}

/** Writes down what the person says. */
export async function restrict(word: RestrictAssistant): Promise<void> {
  try {
    await request('PUT', ROUTE, word);
  } catch (error) {
    toastFailure(failureOf(error));
  }
  readLevel();
}
