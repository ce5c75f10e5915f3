/**
 * The changes of a plan that waits, one by one: which are open, which were said yes to, and where each is told from the
 * others. Pure.
 */
import type { FileDiff, Hunk, Plan, PlanStep, WorkspacePath } from '../wire/gen/types';
import { lifted } from './lifted';

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

/**
 * The changes of a plan whose lines can be shown in their file as it is: not those on lines that an earlier step changes.
 * Each has the line at which it stands there.
 */
export function partsInText(plan: Plan): StepPart[] {
  const waiting = plan.steps.filter(({ state }) => state === 'waiting');
  return waiting.flatMap((step, index) =>
    partsOf(step).flatMap((part) => {
      const hunk = part.file.cell ? null : lifted(part.hunk, part.file.path, waiting.slice(0, index));
      return hunk ? [{ ...part, hunk }] : [];
    }),
  );
}

/** Tells whether every step that waits is made of changes that can be looked at in their files. */
export function isAllInText(plan: Plan): boolean {
  const shown = partsInText(plan);
  const waiting = plan.steps.filter(({ state }) => state === 'waiting');
  return waiting.every((step) => {
    const here = shown.filter((part) => part.step === step.number).length;
    return here > 0 && here === countOf(step) && !step.risks.includes('destructive');
  });
}

/** How many changes a step shows, those of whole files too. */
function countOf({ preview }: PlanStep): number {
  return preview?.body.kind === 'diff' ? preview.body.files.flatMap(({ hunks }) => hunks).length : 0;
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
  const total = parts.length + rejectedOf(step);
  return parts.length === 0 || total < 2 ? '' : words(parts, total);
}

/** What is left to answer in a file of a plan. */
export interface FileLeft {
  readonly path: WorkspacePath;
  readonly words: string;
}

/** The same for each file that changes of the plan are in, over all steps. */
export function leftByFile({ steps }: Plan): FileLeft[] {
  const waiting = steps.filter(isDivisible);
  const parts = waiting.flatMap(partsOf);
  return [...new Set(parts.map(({ file }) => file.path))].map((path) => {
    const here = parts.filter(({ file }) => file.path === path);
    const rejected = waiting.reduce((sum, step) => sum + rejectedOf(step, path), 0);
    return { path, words: words(here, here.length + rejected) };
  });
}

function rejectedOf({ rejected }: PlanStep, path?: WorkspacePath): number {
  const files = rejected.filter((file) => path === undefined || file.path === path);
  return files.reduce((sum, { hunks }) => sum + hunks.length, 0);
}

function words(parts: readonly StepPart[], total: number): string {
  const open = parts.filter(({ accepted }) => !accepted).length;
  if (total === 1) return open === 0 ? 'change reviewed' : '1 change left';
  return open === 0 ? `all ${total} changes reviewed` : `${open} of ${total} changes left`;
}
