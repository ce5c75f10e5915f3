// Does in this window what actions ask for, one after the other, and says how it went.
import { useFrames } from '../frames/store';
import { connection } from '../wire/connection';
import type { Failure, ServerFrame } from '../wire/gen/types';
import { handlerOf, Refused } from './handlers';

/** Something to do in this window. */
export type UiAction = Extract<ServerFrame, { type: 'ui_action' }>;

/** Does it as soon as the kept arrangement is there, and answers. */
export async function answer(frame: UiAction): Promise<void> {
  const { action } = frame;
  await arranged();
  try {
    connection.send({ type: 'ui_result', action, result: done(frame), failure: null });
  } catch (error) {
    connection.send({ type: 'ui_result', action, result: null, failure: failureOf(error) });
  }
}

function done({ action_type, args }: UiAction): unknown {
  const handler = handlerOf(action_type);
  if (!handler)
    throw new Refused('not_here', `This window can’t do ${action_type}: reload it to have the latest version.`);
  return handler(args ?? {});
}

function failureOf(error: unknown): Failure {
  const code = error instanceof Refused ? error.code : 'ui';
  return { code, message: error instanceof Error ? error.message : String(error), data: null };
}

/** Waits for the kept arrangement, which would replace an earlier change. */
function arranged(): Promise<void> {
  if (useFrames.getState().ready) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = useFrames.subscribe(({ ready }) => {
      if (!ready) return;
      stop();
      resolve();
    });
  });
}
