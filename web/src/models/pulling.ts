/** The model that is being got, by this window or one before it. */
import { create } from 'zustand';
import { learn } from '../actions/store';
import { announce } from '../ui/Announcer';
import { stopAction } from '../wire/actions';
import type { PullLine, PullModel } from '../wire/gen/types';
import { failureOf, requestLines } from '../wire/requests';
import { invalidate } from '../wire/resource';
import { applyLine, begun, isOn, type Pull } from './pull';

/** For components: the latest pull, whether it goes on or has ended. */
export const usePulling = create<{ readonly pull: Pull | null }>(() => ({ pull: null }));

let connection: AbortController | null = null;

/** Gets a model; one at a time. */
export async function startPull(model: string): Promise<void> {
  connection?.abort();
  usePulling.setState({ pull: begun(model) });
  await follow({ model } satisfies PullModel);
}

/** Shows the pull that goes on, if one does that this window has not begun. */
export async function findPull(): Promise<void> {
  if (connection === null) await follow();
}

/** Asks, and takes in what is said line by line; without a request, of what goes on. */
async function follow(asked?: PullModel): Promise<void> {
  const own = new AbortController();
  connection = own;
  try {
    for await (const line of requestLines<PullLine>('models/pull', asked, own.signal)) {
      if (connection !== own) return;
      if (line.kind === 'begun' && !asked) usePulling.setState({ pull: begun(line.model) });
      if (line.kind === 'waiting') learn(line.submitted.record);
      if (line.kind === 'ended') learn(line.record);
      change((pull) => applyLine(pull, line, performance.now()));
    }
    // Whoever does not say how it ended was cut off.
    change((pull) =>
      isOn(pull) ? { ...pull, phase: 'failed', failure: { message: 'The connection was lost.' } } : pull,
    );
  } catch (error) {
    if (own.signal.aborted) return;
    change((pull) => ({ ...pull, phase: 'failed', failure: failureOf(error) }));
  } finally {
    if (connection === own) connection = null;
  }
  const { pull } = usePulling.getState();
  if (pull === null) return;
  announce(pull.phase === 'done' ? `${pull.model} is ready` : `Couldn’t download ${pull.model}`);
  invalidate('models');
}

/** Stops it, at Ollama too; a question that waits is taken back. */
export function stopPull(): void {
  const { pull } = usePulling.getState();
  if (pull?.action && isOn(pull)) void stopAction(pull.action).catch(() => {});
  connection?.abort();
  connection = null;
  change((pull) => (isOn(pull) ? { ...pull, phase: 'stopped' } : pull));
}

function change(apply: (pull: Pull) => Pull): void {
  usePulling.setState(({ pull }) => ({ pull: pull && apply(pull) }));
}
