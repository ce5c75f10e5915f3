/** Reads the audit page by page. */
import type { AuditEntry } from '../wire/gen/types';
import { request } from '../wire/requests';
import { type AuditFilter, requestQuery } from './filter';
import { type AuditPages, joined, PAGE } from './pages';

/** How many should show before it stops asking for more. */
const ENOUGH = 50;

/** Reads on until there is enough that may show; reads are passed over unless they are wanted. */
export async function readOn(pages: AuditPages, filter: AuditFilter, signal: AbortSignal): Promise<AuditPages> {
  let now = pages;
  while (!now.end && now.rows.length - pages.rows.length < ENOUGH) {
    const before = now.before === null ? '' : `&before=${now.before}`;
    const path = `audit?${requestQuery(filter)}&limit=${PAGE}${before}`;
    const page = await request<AuditEntry[]>('GET', path, undefined, signal);
    now = joined(now, page, filter.reads !== '');
  }
  return now;
}
