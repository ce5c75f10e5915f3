import { expect, test } from 'vitest';
import type { Task } from '../wire/gen/types';
import { freshened, joined, NO_PAGES, PAGE, told } from './pages';

const task = (id: string, rest: Partial<Task> = {}) => ({ id, ...rest }) as Task;
const page = (from: number) => Array.from({ length: PAGE }, (_, index) => task(String(from - index)));

test('pages join until one is not full', () => {
  const first = joined(NO_PAGES, page(1999));
  expect([first.tasks.size, first.before, first.end]).toEqual([PAGE, '1950', false]);
  const second = joined(first, [task('1949')]);
  expect([second.tasks.size, second.before, second.end]).toEqual([PAGE + 1, '1949', true]);
});

test('a reloaded first page adds or restarts', () => {
  const known = joined(joined(NO_PAGES, page(1999)), page(1949));
  const added = freshened(known, [task('2000'), ...page(1999).slice(0, PAGE - 1)]);
  expect([added.tasks.size, added.before]).toEqual([2 * PAGE + 1, '1900']);
  expect(freshened(known, page(2999)).tasks.size).toBe(PAGE);
});

test('an update replaces only known tasks', () => {
  const known = joined(NO_PAGES, [task('a')]);
  expect(told(known, task('a', { undone_by: 'b' })).tasks.get('a')?.undone_by).toBe('b');
  expect(told(known, task('c'))).toBe(known);
});
