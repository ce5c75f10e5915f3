import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rowsOf, searched } from './rows';

const PAGE = readFileSync('../docs/coverage.md', 'utf8');

test('rows have an action or a reason', () => {
  const commands = rowsOf(PAGE, 'commands');
  const routes = rowsOf(PAGE, 'routes');
  expect(commands.length).toBeGreaterThan(100);
  expect(routes.length).toBeGreaterThan(50);
  for (const { name, actions, words } of [...commands, ...routes])
    expect(actions.length > 0 || words !== '', name).toBe(true);
});

test('cells are read without their marks', () => {
  expect(rowsOf(PAGE, 'commands').find(({ id }) => id === 'tab.close')).toEqual({
    name: 'Close tab',
    id: 'tab.close',
    actions: ['ui.tabs.close'],
    words: '',
  });
  const changes = rowsOf(PAGE, 'routes').find(({ name }) => name === 'PATCH /threads/{id}');
  expect(changes?.actions).toEqual(['thread.rename', 'thread.archive', 'thread.set_model']);
});

test('all words of a search occur', () => {
  const rows = rowsOf(PAGE, 'commands');
  expect(searched(rows, 'close TAB').map(({ id }) => id)).toContain('tab.close');
  expect(searched(rows, 'close nothing like this')).toEqual([]);
});
