import { expect, test } from 'vitest';
import { descriptor } from '../testing/descriptors';
import { isHarmless, riskOf, understoodIn } from './understood';

const CATALOG = [
  descriptor('ui.open', 'Open a file', { effect: 'ui', risks: ['read'] }),
  descriptor('file.list', 'List the files in a folder', { risks: ['read'] }),
  descriptor('file.delete', 'Delete a file', { risks: ['write', 'destructive'] }),
];

test('risk is the gravest of catalog and route', () => {
  const risk = (action_type: string, routed?: 'read' | 'destructive') =>
    riskOf({ action_type, args: {}, ...(routed && { risk: routed }) }, CATALOG);
  expect(risk('ui.open')).toBe('window');
  expect(risk('file.list')).toBe('read');
  expect(risk('file.delete', 'read')).toBe('deletes');
  expect(risk('file.list', 'destructive')).toBe('deletes');
});

test('unknown actions and risks ask first', () => {
  expect(isHarmless(riskOf({ action_type: 'new.thing', args: {} }, CATALOG))).toBe(false);
  expect(isHarmless(riskOf({ action_type: 'new.thing', args: {}, risk: 'strange' as 'read' }, CATALOG))).toBe(false);
});

test('one grave action makes the whole list ask', () => {
  const actions = ['ui.open', 'file.delete'].map((action_type) => ({ action_type, args: {} }));
  const [understood] = understoodIn({ kind: 'actions', actions, took_us: 1 }, CATALOG);
  expect(understood).toMatchObject({ risk: 'deletes', title: '1. Open a file  2. Delete a file' });
});

test('arguments show what the title leaves out', () => {
  const args = { path: 'a.md', recursive: false, lines: [1, 2], text: null };
  const action = { action_type: 'file.delete', args, title: 'Delete a.md' };
  expect(understoodIn({ kind: 'action', actions: [action], took_us: 1 }, CATALOG)[0]?.args).toBe('lines: 1, 2');
});

test('a route without actions offers nothing', () => {
  expect(understoodIn({ kind: 'action', took_us: 1 }, CATALOG)).toEqual([]);
  expect(understoodIn({ kind: 'choose', took_us: 1 }, CATALOG)).toEqual([]);
});
