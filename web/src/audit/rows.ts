/** The audit chain as a table: one row an action, from its entries. Pure; an entry it can't read is left out. */
import type { ActionId, AuditEntry, Origin } from '../wire/gen/types';

/** One action as the audit has it. */
export interface AuditRow {
  readonly action: ActionId;
  readonly actionType: string;
  readonly at: number;
  readonly targets: readonly string[];
  /** Who asked. */
  readonly by: string;
  /** A model asked, in a turn of theirs. */
  readonly model: boolean;
  /** The rule that decided. */
  readonly rule: string;
  /** Who answered, if a person was asked. */
  readonly answeredBy: string | null;
  /** `done`, `refused` …; `waiting` until then. */
  readonly state: string;
  readonly onlyReads: boolean;
  /** The action of which it is a part. */
  readonly parent: ActionId | null;
  /** The action that it took back. */
  readonly undoes: ActionId | null;
}

/** Folds entries, oldest first, into rows, newest first. */
export function rowsOf(entries: readonly AuditEntry[]): AuditRow[] {
  const rows = new Map<ActionId, AuditRow>();
  for (const { body } of entries) {
    const entry = readEntry(body);
    if (!entry) continue;
    const before = rows.get(entry.action);
    rows.set(entry.action, before ? joined(before, entry) : entry);
  }
  return [...rows.values()].reverse();
}

function joined(before: AuditRow, entry: AuditRow): AuditRow {
  const state = entry.state === 'waiting' ? before.state : entry.state;
  return { ...entry, at: before.at, state, answeredBy: entry.answeredBy ?? before.answeredBy };
}

/** The rows in which all words of the query occur, and reads only if they are wanted. */
export function filterRows(rows: readonly AuditRow[], query: string, reads: boolean): AuditRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (row.onlyReads && !reads) return false;
    const text = [row.actionType, ...row.targets, row.by, row.answeredBy, row.rule, row.state].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function readEntry(body: unknown): AuditRow | null {
  const entry = asObject(body);
  const action = entry.action;
  if (typeof action !== 'string') return null;
  const origin = asObject(entry.origin) as Partial<Origin>;
  const risks = Array.isArray(entry.risks) ? entry.risks : [];
  return {
    action,
    actionType: text(entry.action_type),
    at: typeof entry.at === 'number' ? entry.at : 0,
    targets: Array.isArray(entry.targets) ? entry.targets.map((target) => text(asObject(target).id)) : [],
    by: text(origin.user),
    model: origin.kind === 'turn',
    rule: text(entry.rule),
    answeredBy: text(asObject(entry.answer).by) || null,
    state: text(asObject(entry.outcome).kind) || 'waiting',
    onlyReads: risks.every((risk) => risk === 'read'),
    parent: text(entry.parent) || null,
    undoes: text(entry.undoes) || null,
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
