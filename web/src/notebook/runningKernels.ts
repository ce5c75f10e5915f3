// The kernels that run beside other notebooks, in words. Pure.
import type { KernelState, RunningKernel } from '../wire/gen/types';

/** Those of other notebooks: what has idled longest first, what works last. */
export function othersOf(all: readonly RunningKernel[], path: string): RunningKernel[] {
  const works = ({ state }: RunningKernel) => (state === 'idle' || state === 'dead' ? 0 : 1);
  return all
    .filter((each) => each.path !== path)
    .sort((one, two) => works(one) - works(two) || one.used - two.used || (one.path < two.path ? -1 : 1));
}

/** “idle for 3 h”, “busy”; `ago` says how long since a moment. */
export function idleWords({ state, used }: RunningKernel, ago: (then: number) => string): string {
  if (state !== 'idle') return STATES[state];
  const since = ago(used);
  return since === 'now' ? 'idle' : `idle for ${since}`;
}

const STATES: Record<Exclude<KernelState, 'idle'>, string> = {
  absent: 'not running',
  starting: 'starting',
  busy: 'busy',
  restarting: 'restarting',
  dead: 'ended',
};
