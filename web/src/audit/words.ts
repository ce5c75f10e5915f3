/** What is said of one record of the audit. Pure. */
import { canUndo } from '../actions/card';
import { originWords } from '../actions/origin';
import type { Tone } from '../ui/Fold';
import type { IconName } from '../ui/Icon';
import type { ActionRecord, AuditRecord, Descriptor } from '../wire/gen/types';

/** How an action ended: a word, a shape, a colour. */
export interface EndWords {
  readonly word: string;
  readonly icon: IconName;
  readonly tone: Tone;
}

/** Says how it ended, as the audit has it. */
export function endOf(record: AuditRecord): EndWords {
  switch (record.outcome?.kind) {
    case 'done':
      if (record.outcome.code === 'ran_badly') return { word: 'ended with an error', icon: 'warning', tone: 'warn' };
      return { word: record.undoes ? 'undo done' : 'done', icon: record.undoes ? 'undo' : 'check', tone: 'ok' };
    case 'failed':
      return { word: 'failed', icon: 'error', tone: 'err' };
    case 'interrupted':
      return { word: 'interrupted', icon: 'clock', tone: 'warn' };
    case 'refused':
      return { word: record.outcome.by === 'person' ? 'rejected' : 'not allowed', icon: 'bar', tone: 'quiet' };
    default:
      return { word: 'in progress', icon: 'circle', tone: 'quiet' };
  }
}

/** Returns the command of a command, else the objects that it touched. */
export function subjectOf({ args, targets }: AuditRecord): string {
  const { command, argv } = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
  if (typeof command === 'string') return command;
  if (Array.isArray(argv)) return argv.join(' ');
  return targets.map((target) => target.id).join(', ');
}

/** "the assistant, for ada · approved by bob", "ada · rule default/write". */
export function whoWords(record: AuditRecord): string {
  return `${originWords(record.origin)} · ${decisionWords(record)}`;
}

function decisionWords({ decided_by, outcome, rule, ruling }: AuditRecord): string {
  if (decided_by) return `${outcome?.kind === 'refused' ? 'rejected' : 'approved'} by ${decided_by}`;
  return ruling === 'deny' ? `denied by ${rule}` : `rule ${rule}`;
}

/** Why an action can't be taken back; null if it can, or if there is nothing to say. */
export function whyNoUndo(record: ActionRecord, descriptor: Descriptor | undefined): string | null {
  if (canUndo(record) || record.parts.length > 0) return null;
  if (record.state === 'undone') return 'Already undone.';
  if (record.state !== 'done')
    return record.outcome ? 'The action did not complete, so there is nothing to undo.' : null;
  if (record.envelope.risk_level.every((risk) => risk === 'read'))
    return 'The action only read data, so there is nothing to undo.';
  if (descriptor?.undo === 'none') return `${record.envelope.action_type} can’t be undone.`;
  if (descriptor?.undo === 'not_needed') return 'There is nothing to undo.';
  if (record.undo_until)
    return `Undo data was kept until ${new Date(record.undo_until).toLocaleString()}, or deleted earlier to free space.`;
  return 'No undo data was recorded.';
}
