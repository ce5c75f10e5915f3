import { expect, test } from 'vitest';
import { readEntry } from './entry';

const entry = (body: unknown) => ({ seq: 1, hash: '0'.repeat(64), body });

test('an entry keeps action, time and origin', () => {
  const body = { action: 'a', action_type: 'doc.edit', at: 1, origin: { kind: 'user', user: 'ada' } };
  expect(readEntry(entry(body))?.body).toMatchObject({ action: 'a', risks: [], targets: [], rule: '' });
});

test('a grant is shown by name', () => {
  const grantOf = (grant: unknown) =>
    readEntry(entry({ action: 'a', action_type: 'x', at: 1, origin: { user: 'ada' }, grant }))?.grant;
  expect([grantOf('hint mode'), grantOf({ id: null, name: 'hint mode' }), grantOf(undefined), grantOf({})]).toEqual([
    'hint mode',
    'hint mode',
    null,
    null,
  ]);
});

test('leaves out what does not', () => {
  for (const body of [null, 'text', {}, { action: 'a', action_type: 'x', at: 1, origin: null }]) {
    expect(readEntry(entry(body))).toBe(null);
  }
});
