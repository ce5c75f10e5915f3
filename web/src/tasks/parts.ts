/**
 * The changes of a plan that waits, one by one: which are open, which were said yes to, and where each is told from the
 * others. Pure.
 */
import type { FileDiff, Hunk, Plan, PlanStep, WorkspacePath } from '../wire/gen/types';

/** One change of a step. */
export interface StepPart {
  readonly step: number;
  /** What it is, whatever number it has: the same lines of the same place become the same. */
  readonly key: string;
  readonly file: FileDiff;
  readonly hunk: Hunk;
  /** A person has said yes to it. */
  readonly accepted: boolean;
}

/** What a change is, whatever number it has. */
export function partKey({ path, cell }: FileDiff, { start, old, new: replacement }: Hunk): string {
  return JSON.stringify([path, cell?.key ?? null, start, old, replacement]);
}

/** Tells whether a step waits, and its changes can be answered one by one. */
export function isDivisible(step: PlanStep): boolean {
  return step.state === 'waiting' && step.problem === null && step.undoes === null;
}

/** The changes of a step that waits. */
export function partsOf(step: PlanStep): StepPart[] {
  const body = step.preview?.body;
  if (body?.kind !== 'diff' || !isDivisible(step)) return [];
  return body.files
    .filter((file) => file.change.kind === 'edited')
    .flatMap((file) =>
      file.hunks.map((hunk) => ({
        step: step.number,
        key: partKey(file, hunk),
        file,
        hunk,
        accepted: step.approved_by !== null || step.accepted.includes(hunk.part),
      })),
    );
}

/** The changes of a plan whose lines can be shown in their file: those of a text that no earlier step changes. */
export function partsInText(plan: Plan): StepPart[] {
  const changed: string[] = [];
  const found: StepPart[] = [];
  for (const step of plan.steps.filter(({ state }) => state === 'waiting')) {
    const isAsItIs = (path: WorkspacePath) => !changed.some((each) => path === each || path.startsWith(`${each}/`));
    found.push(...partsOf(step).filter(({ file }) => !file.cell && isAsItIs(file.path)));
    changed.push(...step.leaves.map(({ object }) => object.id));
  }
  return found;
}

/** Tells whether every step that waits is made of changes that can be looked at in their files. */
export function isAllInText(plan: Plan): boolean {
  const shown = new Set(partsInText(plan).map(({ step }) => step));
  const waiting = plan.steps.filter(({ state }) => state === 'waiting');
  return waiting.every(({ number, risks }) => shown.has(number) && !risks.includes('destructive'));
}

/** Tells whether a yes to some changes of a step is the last that the plan needs. */
export function isLastYes(plan: Plan, step: number, keys: readonly string[]): boolean {
  const waiting = plan.steps.filter(({ state }) => state === 'waiting');
  return waiting.every((each) => {
    if (each.approved_by !== null) return true;
    const parts = partsOf(each);
    return parts.length > 0 && parts.every((part) => part.accepted || (part.step === step && keys.includes(part.key)));
  });
}

/** "2 of 3 changes left"; empty where there is nothing to choose. */
export function leftWords(step: PlanStep): string {
  const parts = partsOf(step);
  const rejected = step.rejected.reduce((sum, { hunks }) => sum + hunks.length, 0);
  const total = parts.length + rejected;
  if (parts.length === 0 || total < 2) return '';
  const open = parts.filter(({ accepted }) => !accepted).length;
  return open === 0 ? `all of ${total} changes answered` : `${open} of ${total} changes left`;
}
