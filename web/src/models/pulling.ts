/** The model that is being got, for as long as the window is open. */
import { create } from 'zustand';
import { learn } from '../actions/store';
import { announce } from '../ui/Announcer';
import type { PullLine, PullModel } from '../wire/gen/types';
import { failureOf, requestLines } from '../wire/requests';
import { invalidate } from '../wire/resource';
import { applyLine, begun, isOn, type Pull } from './pull';

/** For components: the latest pull, whether it goes on or has ended. */
export const usePulling = create<{ readonly pull: Pull | null }>(() => ({ pull: null }));

let connection: AbortController | null = null;

/** Gets a model; one at a time. */
export async function startPull(model: string): Promise<void> {
  stopPull();
  const own = new AbortController();
  connection = own;
  usePulling.setState({ pull: begun(model) });
  try {
    for await (const line of requestLines<PullLine>('models/pull', { model } satisfies PullModel, own.signal)) {
      if (connection !== own) return;
      if (line.kind === 'waiting') learn(line.submitted.record);
      if (line.kind === 'ended') learn(line.record);
      change((pull) => applyLine(pull, line, performance.now()));
    }
    // Whoever does not say how it ended was cut off.
    change((pull) => (isOn(pull) ? { ...pull, phase: 'failed', failure: { message: 'The connection ended.' } } : pull));
  } catch (error) {
    if (own.signal.aborted) return;
    change((pull) => ({ ...pull, phase: 'failed', failure: failureOf(error) }));
  }
  const { pull } = usePulling.getState();
  announce(pull?.phase === 'done' ? `${model} is here` : `${model} was not pulled`);
  invalidate('models');
}

/** Stops it: closing the connection stops it at Ollama. */
export function stopPull(): void {
  connection?.abort();
  connection = null;
  change((pull) => (isOn(pull) ? { ...pull, phase: 'stopped' } : pull));
}

function change(apply: (pull: Pull) => Pull): void {
  usePulling.setState(({ pull }) => ({ pull: pull && apply(pull) }));
}
