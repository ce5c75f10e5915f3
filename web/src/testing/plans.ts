/** Steps of plans for tests. */
import type { FileChange, Hunk, PlanStep } from '../wire/gen/types';
import { editRecord } from './records';

/** A step that waits, and changes lines of one file. */
export function planStep(
  number: number,
  path: string,
  hunks: Hunk[],
  change: FileChange = { kind: 'edited' },
): PlanStep {
  const { preview, verdict, assessment, envelope } = editRecord(hunks);
  const body = { kind: 'diff' as const, files: [{ path, change, base: null, hunks }] };
  return {
    number,
    request: { action_type: 'doc.edit', target: {}, args: {} },
    undoes: null,
    risks: envelope.risk_level,
    verdict,
    assessment,
    preview: preview && { ...preview, body },
    leaves: [{ object: { kind: 'file', id: path }, version: null }],
    as_if_without: null,
    changed: null,
    problem: null,
    state: 'waiting',
    accepted: [],
    rejected: [],
    approved_by: null,
    action: null,
    outcome: null,
  };
}
