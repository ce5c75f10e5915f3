/** Why something could not be taken back: the lines, or the files, that somebody changed since. Pure. */
import type { Failure } from '../wire/gen/types';

/** A line as it is now. */
export interface LineNow {
  readonly line: number;
  readonly text: string;
}

/** A file that would lose something. */
export interface FileLeft {
  readonly path: string;
  readonly why: string;
}

/** What keeps a command from being taken back, and the copy from which its other files could go back. */
export interface RefusedFiles {
  readonly files: readonly FileLeft[];
  readonly snapshot: string;
}

/** The files that taking back a command would lose something of; null if it failed for another reason. */
export function refusedFiles({ data }: Pick<Failure, 'data'>): RefusedFiles | null {
  const files = (listIn(data, 'files') ?? []).filter(isFile);
  const { snapshot } = (data ?? {}) as { snapshot?: unknown };
  return files.length > 0 && typeof snapshot === 'string' ? { files, snapshot } : null;
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

function isFile(value: unknown): value is FileLeft {
  const { path, why } = (value ?? {}) as Partial<FileLeft>;
  return typeof path === 'string' && typeof why === 'string';
}

function isLine(value: unknown): value is LineNow {
  const { line, text } = (value ?? {}) as Partial<LineNow>;
  return typeof line === 'number' && typeof text === 'string';
}
