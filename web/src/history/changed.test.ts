import { expect, test } from 'vitest';
import { pulledWords, REVIEWS, RUN_STATUSES, wordFor } from './changed';

test('a fetch reports its results and its failures', () => {
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
    'No changes in 1 list since the last fetch.',
    'Couldn’t fetch runs: not found',
    'Older commits were not fetched.',
    'GitHub answers no more questions for now; results so far are saved.',
  ]);
});

test('known states are translated, unknown ones shown unchanged', () => {
  expect([wordFor(RUN_STATUSES, 'in_progress'), wordFor(REVIEWS), wordFor(REVIEWS, 'new')]).toEqual([
    'running',
    '',
    'new',
  ]);
});
