import { expect, test } from 'vitest';
import { formatSearch, parseSearch, wanted } from './search';

test('a link holds the known search fields', () => {
  const search = parseSearch('q=tides+csv&state=failed&colour=red');
  expect(search).toEqual({ q: 'tides csv', state: 'failed' });
  expect(formatSearch(search)).toBe('q=tides+csv&state=failed');
  expect(parseSearch('state=nonsense').state).toBe('');
});

test('only what can be there is asked for', () => {
  expect(wanted({ q: '', state: '' })).toEqual({
    open: 'tasks?open=true&limit=1000',
    over: 'tasks?open=false&limit=50',
  });
  expect(wanted({ q: ' a ', state: 'failed' })).toEqual({
    open: null,
    over: 'tasks?open=false&limit=50&text=a&state=failed',
  });
  expect(wanted({ q: '', state: 'running' }).over).toBe(null);
});
