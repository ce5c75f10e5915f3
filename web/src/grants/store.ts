/** What is asked of the server about grants. */
import type { GrantMade, GrantRecord, NewGrant } from '../wire/gen/types';
import { request } from '../wire/requests';
import { invalidate } from '../wire/resource';
import { type Choices, limitsOf } from './words';

/** Where grants are read. */
export const GRANTS = 'grants';

/** Makes a grant; the answer has its token, which is never said again. */
export async function createGrant(choices: Choices): Promise<GrantMade> {
  const body: NewGrant = { name: choices.name.trim(), limits: limitsOf(choices, Date.now()) };
  const made = await request<GrantMade>('POST', GRANTS, body);
  invalidate(GRANTS);
  return made;
}

/** Ends a grant now: no request under it is taken any more, and what runs under it stops. */
export async function revokeGrant(id: string): Promise<GrantRecord> {
  const record = await request<GrantRecord>('POST', `${GRANTS}/${encodeURIComponent(id)}/revoke`);
  invalidate(GRANTS);
  return record;
}
