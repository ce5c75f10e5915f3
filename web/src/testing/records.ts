/** Records of actions for tests: a proposed edit of one file, changed as a test needs it. */
import type { ActionRecord, Hunk, Provenance } from '../wire/gen/types';

/** What the person alone has typed. */
export const TYPED: Provenance = { label: 'user', sources: [], more: false };

/** A hunk of `model.py` from line `start`. */
export function hunk(
  part: number,
  start: number,
  old: string[],
  replacement: string[],
  rest: Partial<Hunk> = {},
): Hunk {
  return { part, start, old, new: replacement, before: [], after: [], confidence: 'exact', ...rest };
}

/** An edit of `model.py` that waits for a person. */
export function editRecord(hunks: Hunk[], rest: Partial<ActionRecord> = {}, id = 'act_1'): ActionRecord {
  return {
    envelope: {
      id,
      hash: 'e'.repeat(64),
      action_type: 'doc.edit',
      target: {},
      args: { path: 'model.py' },
      risk_level: ['write'],
      requires_confirmation: true,
      idempotency_key: id,
      audit_context: null,
    },
    origin: { kind: 'turn', user: 'ada', thread: 'thr_1', turn: 'trn_1', step: 1, call: 'call_1' },
    grant: { id: null, name: 'Coding Agent' },
    provenance: TYPED,
    marked: [],
    state: 'awaiting_confirmation',
    verdict: {
      ruling: 'confirm',
      rule: 'thread/review-each',
      reason: 'This thread reviews each edit.',
      default_used: true,
      matched: [],
    },
    assessment: { risks: [], targets: [{ kind: 'file', id: 'model.py' }], versions: [], provenance: TYPED },
    preview: {
      summary: `Edit model.py, ${hunks.length} changes`,
      body: { kind: 'diff', files: [{ path: 'model.py', change: { kind: 'edited' }, base: null, hunks }] },
      completeness: 'full',
      warnings: [],
    },
    approval_hash: 'a'.repeat(64),
    expires: null,
    parts: [],
    decided_by: null,
    outcome: null,
    can_undo: false,
    parent: null,
    undoes: null,
    undone_by: null,
    created: 0,
    ended: null,
    ...rest,
  };
}
