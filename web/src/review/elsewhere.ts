/** Where a review goes on when a file of a plan has no open change left: at the next file that has. */
import { openFile } from '../frames/store';
import { partsInText } from '../tasks/parts';
import { planAnswerTo, usePlans } from '../tasks/plans';
import { announce } from '../ui/Announcer';
import type { WorkspacePath } from '../wire/gen/types';
import { type OpenHunk, planHunkKey } from './hunks';
import { whenShown } from './store';

/** Opens the next file of a plan at its first change without an answer; says so if there is none. */
export function goElsewhere({ of }: OpenHunk, path: WorkspacePath): void {
  if (of.kind !== 'step') return;
  const known = usePlans.getState().plans.get(of.task);
  if (!known) return;
  const isOpen = (step: number, key: string) => !planAnswerTo(usePlans.getState(), of.task, step, key);
  const parts = partsInText(known.plan).filter(({ accepted, step, key }) => !accepted && isOpen(step, key));
  const at = parts.findIndex(({ step }) => step > of.step);
  const next = [...parts.slice(Math.max(at, 0)), ...parts].find(({ file }) => file.path !== path);
  if (!next) {
    announce(`All file changes of “${known.task.goal}” are reviewed`);
    return;
  }
  openFile(next.file.path, { line: next.hunk.start });
  whenShown(next.file.path, planHunkKey(of.task, next.step, next.key));
}
