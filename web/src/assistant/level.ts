/** How far AI goes here, as the server says it, and a person's word on it. */
import { useEffect } from 'react';
import { toastFailure } from '../ui/Toast';
import { connection, useConnection } from '../wire/connection';
import type { AiLevel, AssistantState, RestrictAssistant } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidate, useResource } from '../wire/resource';

const ROUTE = 'assistant';

let started = false;

/** Starts once per window: a change is told at once, also one that comes with the time. */
function startLevel(): void {
  if (started) return;
  started = true;
  connection.on('assistant', () => invalidate(ROUTE));
}

/** Who restricts AI and how; undefined until the server has said it. */
export function useAssistantState(): AssistantState | undefined {
  useEffect(startLevel, []);
  const online = useConnection((state) => state.status === 'online');
  return useResource<AssistantState>(online ? ROUTE : null).data;
}

/** How far AI goes now; until that is known, as far as ever: the server holds the line. */
export function useAiLevel(): AiLevel {
  return useAssistantState()?.level ?? 'full';
}

/** Writes down what the person says. */
export async function restrict(word: RestrictAssistant): Promise<void> {
  try {
    await request('PUT', ROUTE, word);
  } catch (error) {
    toastFailure(failureOf(error));
  }
  invalidate(ROUTE);
}
