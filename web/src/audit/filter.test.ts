import { expect, test } from 'vitest';
import {
  type AuditFilter,
  EVERYTHING,
  exportQuery,
  formatFilter,
  isNarrowed,
  parseFilter,
  requestQuery,
} from './filter';

const filter = (rest: Partial<AuditFilter>): AuditFilter => ({ ...EVERYTHING, ...rest });

test('a URL holds the whole filter', () => {
  const full = filter({ q: 'tide & wave', person: 'ada', object: 'a b/ü.py', from: '2026-11-01', reads: '1' });
  expect(parseFilter(formatFilter(full))).toEqual(full);
  expect(formatFilter(EVERYTHING)).toBe('');
  expect(parseFilter('?q=x&nonsense=1')).toEqual(filter({ q: 'x' }));
});

test('requests cover ends and whole days', () => {
  const asked = new URLSearchParams(requestQuery(filter({ q: ' a b ', from: '2026-11-01', to: '2026-11-01' })));
  expect(asked.get('state')).toBe('done,failed,refused,interrupted');
  expect(asked.get('text')).toBe('a b');
  expect(Number(asked.get('to')) - Number(asked.get('from'))).toBe(24 * 3600 * 1000);
  expect(asked.has('by')).toBe(false);
  expect(new URLSearchParams(requestQuery(filter({ from: 'yesterday', state: 'failed' }))).toString()).toBe(
    'state=failed',
  );
});

test('an export covers whole days', () => {
  expect(exportQuery(filter({ q: 'tide', person: 'ada' }))).toBe('');
  expect(exportQuery(filter({ from: '2026-11-01', q: 'tide' }))).toMatch(/^from=\d+$/);
});

test('reads alone are no narrowing', () => {
  expect(isNarrowed(filter({ reads: '1' }))).toBe(false);
  expect(isNarrowed(filter({ object: 'a' }))).toBe(true);
});
