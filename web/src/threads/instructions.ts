/** Standing instructions: which files go along with what is said beside a document, and which of them are left out. */
import { useFocus } from '../editor/focus';
import type { InstructionFile, InstructionsAt, StandingInstructions, ThreadId } from '../wire/gen/types';
import { type Resource, useResource } from '../wire/resource';
import { useNewWithout } from './newWithout';
import { changeThread } from './send';
import { useThreads } from './state';

/** Those that there are for what the person looks at. */
export function useInstructions(thread: ThreadId | null): Resource<StandingInstructions> {
  const path = useFocus((state) => state.focus?.path);
  return useResource<StandingInstructions>(
    `instructions?${new URLSearchParams({ ...(path && { document: path }), ...(thread && { thread }) })}`,
  );
}

/** Tells whether a file does not go along. */
export function isLeftOut(at: InstructionsAt, without: readonly InstructionsAt[]): boolean {
  return without.some((each) => same(each, at));
}

/** What is left out of a thread, or of the one that is begun next. */
export function useWithout(thread: ThreadId | null): readonly InstructionsAt[] {
  const next = useNewWithout((state) => state.without);
  const known = useThreads((state) => (thread ? state.threads.get(thread)?.without : undefined));
  return known ?? next;
}

/** Leaves a file out from the next message on, or lets it go along again. */
export async function leaveOut(
  thread: ThreadId | null,
  { at }: InstructionFile,
  without: readonly InstructionsAt[],
  out: boolean,
): Promise<void> {
  const others = without.filter((each) => !same(each, at));
  const now = out ? [...others, at] : others;
  if (thread) await changeThread(thread, { without: now });
  else useNewWithout.setState({ without: now });
}

function same(one: InstructionsAt, two: InstructionsAt): boolean {
  return keyOf([one]) === keyOf([two]);
}

function keyOf(all: readonly InstructionsAt[]): string {
  return all.map((at) => (at.kind === 'file' ? `file:${at.path}` : at.kind)).join('|');
}
