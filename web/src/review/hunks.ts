/**
 * Proposed changes of one file as the editor shows them: which hunks are open, where each stands in the text
 * as it is now, and whether its place still holds the lines it wants to change.
 *
 * Pure. Positions are offsets in UTF-16 units, as in CodeMirror and Yjs.
 */
import { partsInText } from '../tasks/parts';
import type { WaitingPlan } from '../tasks/plans';
import type { ActionId, ActionRecord, Hunk, ModelRef, Sha256, TaskId, WorkspacePath } from '../wire/gen/types';

/** What a hunk is a part of: an action that waits, or a step of a plan that does. */
export type HunkOf =
  | { readonly kind: 'action'; readonly action: ActionId }
  | { readonly kind: 'step'; readonly task: TaskId; readonly step: number; readonly key: string };

/** A hunk that nobody has decided on, with what a decision needs. */
export interface OpenHunk {
  /** Unique: what it is a part of, and which. */
  readonly key: string;
  readonly of: HunkOf;
  readonly part: number;
  /** A yes is kept for it until all of its plan is done. */
  readonly accepted: boolean;
  /** The approval hash of what was shown. */
  readonly hash: Sha256 | null;
  readonly hunk: Hunk;
}

/** Where a hunk stands: whole lines, from the start of the first to the end of the last. */
export interface Place {
  readonly from: number;
  readonly to: number;
  /** The lines in place are not those that the hunk was made for. */
  readonly stale: boolean;
}

/** The part of CodeMirror's `Text` that is needed to place a hunk. */
export interface Lines {
  readonly length: number;
  readonly lines: number;
  line(number: number): { from: number; to: number; number: number; text: string };
  lineAt(position: number): { from: number; to: number; number: number; text: string };
}

/** The hunks of one file that wait for a decision, over all actions and plans, in the order of their lines. */
export function openHunks(
  records: Iterable<ActionRecord>,
  plans: Iterable<WaitingPlan>,
  path: WorkspacePath,
): OpenHunk[] {
  const open: OpenHunk[] = [];
  for (const record of records) open.push(...openHunksOf(record, path));
  for (const plan of plans) open.push(...hunksOfPlan(plan, path));
  return open.sort((one, two) => one.hunk.start - two.hunk.start || (one.key < two.key ? -1 : 1));
}

function openHunksOf(record: ActionRecord, path: WorkspacePath): OpenHunk[] {
  const body = record.preview?.body;
  if (record.state !== 'awaiting_confirmation' || body?.kind !== 'diff') return [];
  const decided = new Set(record.parts.map((part) => part.part));
  return body.files
    .filter((file) => file.path === path && file.change.kind === 'edited' && !file.cell)
    .flatMap((file) => file.hunks)
    .filter((hunk) => !decided.has(hunk.part))
    .map((hunk) => ({
      key: `${record.envelope.id}/${hunk.part}`,
      of: { kind: 'action', action: record.envelope.id },
      part: hunk.part,
      accepted: false,
      hash: record.approval_hash,
      hunk,
    }));
}

function hunksOfPlan({ task, plan }: WaitingPlan, path: WorkspacePath): OpenHunk[] {
  return partsInText(plan)
    .filter(({ file }) => file.path === path)
    .map(({ step, key, hunk, accepted }) => ({
      key: planHunkKey(task.id, step, key),
      of: { kind: 'step', task: task.id, step, key },
      part: hunk.part,
      accepted,
      hash: plan.hash,
      hunk,
    }));
}

/** What names a change of a plan in the editor. */
export function planHunkKey(task: TaskId, step: number, key: string): string {
  return `${task}/${step}/${key}`;
}

/** Names what a hunk is a part of. */
export function proposalOf({ of }: OpenHunk): string {
  return of.kind === 'action' ? of.action : `${of.task}/${of.step}`;
}

/** The hunks of each proposal among some, in their order. */
export function proposalsAmong<Of extends OpenHunk>(hunks: readonly Of[]): Of[][] {
  const found = new Map<string, Of[]>();
  for (const hunk of hunks) found.set(proposalOf(hunk), [...(found.get(proposalOf(hunk)) ?? []), hunk]);
  return [...found.values()];
}

/**
 * Places a hunk at a position that its anchor resolved to, or by its line number where it has none.
 *
 * A hunk without old lines is an insertion before the line at `at`; `at` at the end of the last line, or of
 * the line before, is after that line.
 */
export function placeHunk(doc: Lines, hunk: Hunk, at: number | null): Place {
  if (at === null) return placeByLine(doc, hunk);
  const line = doc.lineAt(Math.min(at, doc.length));
  if (hunk.old.length === 0) return placeInsertion(doc, line, at);
  const here = placeLines(doc, hunk.old, line.number);
  if (!here.stale || at === line.from || line.number === doc.lines) return here;
  const below = placeLines(doc, hunk.old, line.number + 1);
  return below.stale ? here : below;
}

function placeByLine(doc: Lines, hunk: Hunk): Place {
  const number = Math.min(Math.max(hunk.start, 1), doc.lines + 1);
  if (hunk.old.length > 0) return placeLines(doc, hunk.old, Math.min(number, doc.lines));
  const at = number > doc.lines ? doc.length : doc.line(number).from;
  return { from: at, to: at, stale: !contextHolds(doc, hunk, number) };
}

/** Without an anchor, an insertion is only where its neighbours are those it was made between. */
function contextHolds(doc: Lines, hunk: Hunk, number: number): boolean {
  const above = hunk.before.every((text, index) => lineText(doc, number - hunk.before.length + index) === text);
  return above && hunk.after.every((text, index) => lineText(doc, number + index) === text);
}

function placeInsertion(doc: Lines, line: { from: number; to: number }, at: number): Place {
  const between = at === line.from || (at === line.to && line.to === doc.length);
  const from = between ? at : at === line.to ? Math.min(line.to + 1, doc.length) : line.from;
  return { from, to: from, stale: !between && at !== line.to };
}

function placeLines(doc: Lines, old: readonly string[], first: number): Place {
  const stale = old.some((text, index) => lineText(doc, first + index) !== text);
  const last = Math.min(first + old.length - 1, doc.lines);
  const end = stale ? doc.line(first).to : doc.line(last).to;
  return { from: doc.line(first).from, to: end, stale };
}

function lineText(doc: Lines, number: number): string | null {
  return number >= 1 && number <= doc.lines ? doc.line(number).text : null;
}

/** The index of the next or previous hunk from the one that has the attention, going round. */
export function neighbour(count: number, current: number, step: 1 | -1): number {
  if (count === 0) return -1;
  if (current < 0) return step === 1 ? 0 : count - 1;
  return (current + step + count) % count;
}

/** "5 changes proposed by ollama/qwen" over the editor. */
export function reviewSummary(count: number, models: readonly ModelRef[]): string {
  const changes = count === 1 ? '1 change' : `${count} changes`;
  const by = models.length > 0 ? ` by ${[...new Set(models)].join(' and ')}` : '';
  return `${changes} proposed${by}`;
}
