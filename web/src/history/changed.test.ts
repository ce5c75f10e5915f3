import { expect, test } from 'vitest';
import { pulledWords, REVIEWS, RUN_STATUSES, wordFor } from './changed';

test('what a host told is said, with what it did not tell and why', () => {
  const pulled = {
    repo: 'octo/shop',
    host: 'https://api.github.com',
    pull_requests: 1,
    runs: 1200,
    commits: 0,
    new: 3,
    unchanged: 0,
    refused: [],
    longer: [],
  };
  expect(pulledWords(pulled)).toEqual([
    'octo/shop at https://api.github.com: 1 pull request, 1,200 runs, 0 commits, 3 new.',
  ]);
  const stopped = 'GitHub answers no more questions for now';
  const refused = [{ list: 'runs', reason: 'not found' }];
  expect(pulledWords({ ...pulled, unchanged: 1, refused, longer: ['commits'], stopped }).slice(1)).toEqual([
    'Nothing had changed in 1 list since the last time.',
    'No runs were told: not found',
    'There are older commits, which were not asked for.',
    'GitHub answers no more questions for now; what came is kept.',
  ]);
});

test('words of hosts are those of people, and one that is new is shown as it is', () => {
  expect([wordFor(RUN_STATUSES, 'in_progress'), wordFor(REVIEWS), wordFor(REVIEWS, 'new')]).toEqual([
    'running',
    '',
    'new',
  ]);
});
