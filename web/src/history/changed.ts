/** Pull requests, runs and what came of asking their host, in words. Pure. */
import type { HistoryPulled } from '../wire/gen/types';
import { counted } from './numbers';

type Words = readonly (readonly [string, string])[];

/** What pull requests are filtered by. */
export const STATES: Words = [
  ['', 'all'],
  ['open', 'open'],
  ['merged', 'merged'],
  ['closed', 'closed'],
  ['reverted', 'reverted'],
];

/** What runs are filtered by. */
export const RUN_STATUSES: Words = [
  ['', 'all'],
  ['success', 'succeeded'],
  ['failure', 'failed'],
  ['cancelled', 'cancelled'],
  ['skipped', 'skipped'],
  ['pending', 'waiting'],
  ['in_progress', 'running'],
];

/** What reviewers say. */
export const REVIEWS: Words = [
  ['approved', 'approved'],
  ['changes_requested', 'changes requested'],
  ['commented', 'commented'],
];

/** The word for what the server says; its own if there is none. */
export function wordFor(words: Words, said = ''): string {
  return words.find(([value]) => value === said)?.[1] ?? said;
}

/** What came of asking a host, a sentence each. */
export function pulledWords(pulled: HistoryPulled): string[] {
  const { repo, host, pull_requests, runs, commits, unchanged, refused, longer, stopped } = pulled;
  const came = [counted(pull_requests, 'pull request'), counted(runs, 'run'), counted(commits, 'commit')].join(', ');
  return [
    `${repo} at ${host}: ${came}, ${pulled.new.toLocaleString('en')} new.`,
    ...(unchanged > 0 ? [`No changes in ${counted(unchanged, 'list')} since the last fetch.`] : []),
    ...refused.map(({ list, reason }) => `Couldn’t fetch ${list}: ${reason}`),
    ...(longer.length > 0 ? [`Older ${longer.join(' and ')} were not fetched.`] : []),
    ...(stopped === undefined ? [] : [`${stopped}; results so far are saved.`]),
  ];
}
