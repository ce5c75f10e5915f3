/** Reads the audit chain. */
import type { AuditEntry } from '../wire/gen/types';
import { request } from '../wire/requests';

const PAGE = 1000;
const MOST_PAGES = 50;

/** All entries, oldest first. */
export async function readAudit(): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const after = entries.at(-1)?.seq ?? 0;
    const next = await request<AuditEntry[]>('GET', `audit?after=${after}&limit=${PAGE}`);
    entries.push(...next);
    if (next.length < PAGE) break;
  }
  return entries;
}
