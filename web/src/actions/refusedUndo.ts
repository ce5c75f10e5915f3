/** Why an edit could not be taken back: the lines that somebody changed since. Pure. */
import type { Failure } from '../wire/gen/types';

/** A line as it is now. */
export interface LineNow {
  readonly line: number;
  readonly text: string;
}

/** The lines that taking back would overwrite; null if it failed for another reason. */
export function changedSince({ data }: Pick<Failure, 'data'>): LineNow[] | null {
  const failed = listIn(data, 'failed');
  if (failed === null || failed.length === 0) return null;
  return failed.flatMap((each) => listIn(each, 'candidates') ?? []).filter(isLine);
}

function listIn(value: unknown, name: string): unknown[] | null {
  const list = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null;
  return Array.isArray(list) ? list : null;
}

function isLine(value: unknown): value is LineNow {
  const { line, text } = (value ?? {}) as Partial<LineNow>;
  return typeof line === 'number' && typeof text === 'string';
}
