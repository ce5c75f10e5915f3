/** An entry of the audit, looked at before it is used: what an older version wrote may lack fields. Pure. */
import { userOf } from '../actions/origin';
import type { AuditEntry, AuditRecord } from '../wire/gen/types';

/** An entry whose record can be read. */
export interface Entry extends Omit<AuditEntry, 'body'> {
  readonly body: AuditRecord;
  /** The name of the grant that it ran under, if one was written down. */
  readonly grant: string | null;
}

/** The entry if its record says what was done, when and who asked; null if it does not. */
export function readEntry(entry: AuditEntry): Entry | null {
  const body = entry.body as Partial<AuditRecord> | null;
  if (typeof body !== 'object' || body === null) return null;
  const { action, action_type, at, origin } = body;
  const told = typeof action === 'string' && typeof action_type === 'string' && typeof at === 'number';
  if (!told || !origin || typeof userOf(origin) !== 'string') return null;
  const lists = { risks: listOf(body.risks), targets: listOf(body.targets) };
  return {
    ...entry,
    body: { ...(body as AuditRecord), ...lists, rule: body.rule ?? '' },
    grant: grantName(body.grant),
  };
}

/** It was written as its name, and later with its id. */
function grantName(grant: unknown): string | null {
  const name = typeof grant === 'object' && grant !== null && 'name' in grant ? grant.name : grant;
  return typeof name === 'string' && name !== '' ? name : null;
}

function listOf<T>(value: readonly T[] | undefined): T[] {
  return Array.isArray(value) ? [...value] : [];
}
