import { expect, test } from 'vitest';
import { descriptor, step } from '../testing/descriptors';
import { isHarmless, riskOf, stepOf, understoodIn } from './understood';

const OPEN = step('ui.open', { is_gentle: true, risks: ['read'], title: 'Open a file', detail: 'a.md' });
const DELETE = step('file.delete', { risks: ['write', 'destructive'], title: 'Delete a file', detail: 'b.md' });

test('risk is the gravest one', () => {
  expect(riskOf(OPEN)).toBe('window');
  expect(riskOf(step('file.list', { is_gentle: true, risks: ['read'] }))).toBe('read');
  expect(riskOf(DELETE)).toBe('deletes');
  expect(riskOf(step('cell.run', { risks: ['write', 'destructive', 'access', 'install', 'network'] }))).toBe(
    'runs code',
  );
});

test('an action that is not gentle asks first', () => {
  expect(isHarmless(riskOf(step('cell.run', { risks: ['read'] })))).toBe(false);
  expect(isHarmless(riskOf(step('new.thing', { risks: ['strange' as 'read'] })))).toBe(false);
});

test('one grave action makes the whole list ask', () => {
  const routed = { kind: 'actions' as const, actions: [OPEN, DELETE], candidates: [], took_us: 1 };
  expect(understoodIn(routed)).toEqual([
    {
      actions: [OPEN, DELETE],
      title: '1. Open a file  2. Delete a file',
      detail: '1. a.md  2. b.md',
      risk: 'deletes',
    },
  ]);
});

test('long objects are shortened', () => {
  const routed = {
    kind: 'action' as const,
    actions: [{ ...OPEN, detail: 'x'.repeat(500) }],
    candidates: [],
    took_us: 1,
  };
  expect(understoodIn(routed)[0]?.detail.length).toBe(120);
});

test('a route without actions offers nothing', () => {
  const none = { actions: [], candidates: [], took_us: 1 };
  expect(understoodIn({ kind: 'action', ...none })).toEqual([]);
  expect(understoodIn({ kind: 'choose', ...none })).toEqual([]);
  expect(understoodIn({ kind: 'model', ...none, actions: [OPEN] })).toEqual([]);
});

test('actions of the catalog ask by risk', () => {
  expect(riskOf(stepOf(descriptor('mcp.list', 'List', { risks: ['read'] })))).toBe('read');
  expect(riskOf(stepOf(descriptor('latex.build', 'Build', { risks: ['write'] })))).toBe('write');
});
