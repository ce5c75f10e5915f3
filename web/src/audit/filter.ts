/**
 * Which actions the audit page shows: as the page's URL says it, and as the server is asked for it. Pure.
 *
 * ```text
 * audit?q=words&person=ada&via=turn&object=model.py&action=doc.edit&state=done&from=2026-11-01&to=2026-11-30&reads=1
 * ```
 */

/** What narrows the list; an empty field narrows nothing. */
export interface AuditFilter {
  /** Words that all occur. */
  readonly q: string;
  /** Who asked or decided. */
  readonly person: string;
  /** By which door it came: a kind of origin. */
  readonly via: string;
  /** A path or an id. */
  readonly object: string;
  /** An action's name or id. */
  readonly action: string;
  /** How it ended. */
  readonly state: string;
  /** The first day, `2026-11-21`. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
  /** Also what only read: `1`. */
  readonly reads: string;
}

/** Narrows nothing, but leaves reads out. */
export const EVERYTHING: AuditFilter = {
  q: '',
  person: '',
  via: '',
  object: '',
  action: '',
  state: '',
  from: '',
  to: '',
  reads: '',
};

const FIELDS = Object.keys(EVERYTHING) as (keyof AuditFilter)[];

/** The ways an action ends, as words. */
export const ENDS: Readonly<Record<string, string>> = {
  done: 'done',
  failed: 'failed',
  refused: 'not done',
  interrupted: 'interrupted',
};

/** Reads a page's query; what it does not know is left out. */
export function parseFilter(query: string): AuditFilter {
  const parameters = new URLSearchParams(query);
  const known = FIELDS.map((field) => [field, parameters.get(field) ?? ''] as const);
  return { ...EVERYTHING, ...Object.fromEntries(known) };
}

/** The page's query for a filter. */
export function formatFilter(filter: AuditFilter): string {
  return new URLSearchParams(FIELDS.filter((field) => filter[field]).map((field) => [field, filter[field]])).toString();
}

/** Tells whether anything is left out that could be shown. */
export function isNarrowed(filter: AuditFilter): boolean {
  return FIELDS.some((field) => field !== 'reads' && filter[field].trim() !== '');
}

/** What the server is asked for: one record for each action that ended. */
export function requestQuery(filter: AuditFilter): string {
  const wanted: Record<string, string> = {
    state: filter.state || Object.keys(ENDS).join(','),
    text: filter.q.trim(),
    by: filter.person.trim(),
    origin: filter.via,
    object: filter.object.trim(),
    action: filter.action.trim(),
    from: dayStart(filter.from, 0),
    to: dayStart(filter.to, 1),
  };
  return new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== '')).toString();
}

/** What is exported: all entries of the chosen days, since a chain with gaps could not be verified. */
export function exportQuery(filter: AuditFilter): string {
  const days = { from: dayStart(filter.from, 0), to: dayStart(filter.to, 1) };
  return new URLSearchParams(Object.entries(days).filter(([, value]) => value !== '')).toString();
}

/** The first millisecond of a day, or of one some days later, where the person is; empty if it is no day. */
function dayStart(day: string, later: number): string {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (!year) return '';
  return String(new Date(Number(year), Number(month) - 1, Number(date) + later).getTime());
}
