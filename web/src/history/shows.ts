/**
 * What the page of the history shows, as its URL says it and as the server is asked for it. Pure.
 *
 * ```text
 * history?tab=sessions&since=2026-11-01&until=2026-11-30&program=codex&workspace=/w/shop&query=words&session=ID
 * ```
 */

import { PROGRAMS } from './programs';

/** The parts of the page. */
export const TABS = {
  costs: 'Costs',
  sessions: 'Sessions',
  changes: 'Pull requests',
  advice: 'Recommendations',
  settings: 'Settings',
} as const;

export type Tab = keyof typeof TABS;

/** Which sessions and answers are shown; an empty field narrows nothing. */
export interface Which {
  /** How long ago, such as `30d`, or the first day, `2026-11-21`. */
  readonly since: string;
  /** The last day. */
  readonly until: string;
  readonly program: string;
  /** A folder, with those below it. */
  readonly workspace: string;
  /** Words that were said. */
  readonly query: string;
  /** A repository, `owner/name`. */
  readonly repo: string;
  /** How pull requests stand. */
  readonly state: string;
  /** How runs stand. */
  readonly status: string;
}

export interface Shows {
  readonly tab: Tab;
  readonly which: Which;
  /** The session that is open. */
  readonly session: string;
}

const EVERYTHING: Which = {
  since: '',
  until: '',
  program: '',
  workspace: '',
  query: '',
  repo: '',
  state: '',
  status: '',
};

const FIELDS = Object.keys(EVERYTHING) as (keyof Which)[];

/** What is shown unless something else is asked for, and what asks for all of it. */
const [RECENT, ALWAYS] = ['30d', 'all'];

/** How long ago, a day, or all. */
const SINCE = /^(\d+[hdwm]|\d{4}-\d\d-\d\d|all)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Tells whether a field can hold that. */
const CAN_BE: Partial<Record<keyof Which, (text: string) => boolean>> = {
  since: (text) => SINCE.test(text),
  until: (text) => DAY.test(text),
  program: (text) => PROGRAMS.some(([program]) => program === text),
};

/** Reads a page's query; what it does not know is left out. */
export function parseShows(query: string): Shows {
  const parameters = new URLSearchParams(query);
  const said = (field: keyof Which) => parameters.get(field) ?? '';
  const known = (field: keyof Which) => ((CAN_BE[field]?.(said(field)) ?? true) ? said(field) : '');
  const which = Object.fromEntries(FIELDS.map((field) => [field, known(field)]));
  const since = which.since || (which.until ? '' : RECENT);
  const tab = parameters.get('tab') ?? '';
  return {
    tab: tab in TABS ? (tab as Tab) : 'costs',
    which: { ...EVERYTHING, ...which, since: since === ALWAYS ? '' : since },
    session: parameters.get('session') ?? '',
  };
}

/** The page's query for what it is to show. */
export function formatShows({ tab, which, session }: Shows): string {
  const since = which.since || which.until ? which.since : ALWAYS;
  const said = { ...which, since: since === RECENT && !which.until ? '' : since };
  return written({ tab: tab === 'costs' ? '' : tab, ...said, session });
}

/** What the server is asked for. Words are looked for in sessions only. */
export function requestQuery({ tab, which }: Shows, timezone: string): string {
  const { since, until, program, workspace, query } = which;
  return written({ since, until, program, workspace, query: tab === 'sessions' ? query : '', timezone });
}

/** The same of pull requests or runs, which stand like that. */
export function changesQuery({ since, until, repo }: Which, state: string, timezone: string): string {
  return written({ since, until, repo, state, timezone });
}

/** Tells whether days were chosen, rather than how long ago. */
export function isOfDays({ since, until }: Which): boolean {
  return until !== '' || /^\d{4}-/.test(since);
}

function written(fields: Record<string, string>): string {
  return new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString();
}
