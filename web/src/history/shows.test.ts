import { expect, test } from 'vitest';
import { changesQuery, formatShows, isOfDays, parseShows, requestQuery } from './shows';

test('a link shows the same again', () => {
  for (const query of [
    '',
    'since=7d',
    'since=all',
    'until=2026-11-30',
    'tab=changes&repo=octo%2Fshop&state=merged&status=failure',
    'tab=sessions&since=2026-11-01&until=2026-11-30&program=codex&workspace=%2Fw%2Fshop&query=two+words&session=one',
  ]) {
    expect(formatShows(parseShows(query))).toBe(query);
  }
  expect(parseShows('').which.since).toBe('30d');
  expect(parseShows('tab=nonsense&since=all')).toMatchObject({ tab: 'costs', which: { since: '' } });
});

test('what a link says that nothing can hold is left out', () => {
  expect(parseShows('since=garbage&until=soon&program=none').which).toMatchObject({
    since: '30d',
    until: '',
    program: '',
  });
  expect(parseShows('since=14d&program=pi').which).toMatchObject({ since: '14d', program: 'pi' });
});

test('the server is asked for what is shown, and for words in sessions only', () => {
  expect(requestQuery(parseShows('query=x'), 'UTC')).toBe('since=30d&timezone=UTC');
  expect(requestQuery(parseShows('tab=sessions&since=all&query=x&session=one'), 'UTC')).toBe('query=x&timezone=UTC');
});

test('hosts’ pull requests and runs are asked for by repository, time and how they stand', () => {
  const { which } = parseShows('tab=changes&program=codex&query=x&repo=octo%2Fshop&state=merged');
  expect(changesQuery(which, which.state, 'UTC')).toBe('since=30d&repo=octo%2Fshop&state=merged&timezone=UTC');
  expect(requestQuery(parseShows('repo=octo%2Fshop&state=merged'), 'UTC')).toBe('since=30d&timezone=UTC');
});

test('days are told from how long ago', () => {
  const of = (query: string) => isOfDays(parseShows(query).which);
  expect([of(''), of('since=24h'), of('since=all'), of('since=2026-11-01'), of('until=2026-11-01')]).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});
