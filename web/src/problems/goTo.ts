/** Going from problem to problem, and to the list of them. */
import { useFocus } from '../editor/focus';
import { openBelow, openFile, useFrames } from '../frames/store';
import { activeTab, panesOf, tabShowing, type View } from '../frames/tree';
import { announce } from '../ui/Announcer';
import type { Problem } from '../wire/gen/types';
import { next } from './order';
import { placed } from './places';
import { problemsOf } from './store';

/** Shows the list: where it is, else below what is looked at. */
export function openProblems(): void {
  openBelow({ kind: 'problems' });
}

/** Goes to the place where a problem is by now: where its file shows, else in a pane that shows files. */
export function goTo(problem: Problem): void {
  const { path, line } = placed(problem);
  if (path === null) return;
  const { frames } = useFrames.getState();
  const files = panesOf(frames.root).find((pane) => isText(activeTab(pane)?.view));
  const shown = tabShowing(frames, { kind: 'file', path });
  openFile(path, { line: line ?? undefined, pane: shown ? undefined : files?.id });
}

/** Goes to the next problem after the cursor, or the one before. */
export async function step(by: 1 | -1): Promise<void> {
  const focus = useFocus.getState().focus;
  const found = next(await problemsOf(), focus ? { path: focus.path, line: focus.cursor ?? 0 } : null, by);
  if (!found) return announce('No problems');
  goTo(found);
  announce(found.message, 'assertive');
}

function isText(view: View | undefined): boolean {
  return view?.kind === 'file' && !view.path.toLowerCase().endsWith('.pdf');
}
