import { beforeEach, expect, test, vi } from 'vitest';
import { after, type Habits, keepChoice, points, readHabits } from './habits';

const DAY = 24 * 3600_000;
const NONE: Habits = new Map();

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
});

test('frequent choices weigh more, old ones less', () => {
  const once = after(NONE, 'a', 0);
  const twice = after(once, 'a', 0);
  expect(points(twice, 'a', 0)).toBeGreaterThan(points(once, 'a', 0));
  expect(points(once, 'a', 30 * DAY)).toBeLessThan(points(once, 'a', DAY));
  expect(points(once, 'b', 0)).toBe(0);
});

test('only the last 200 choices are kept', () => {
  let habits = NONE;
  for (let number = 0; number < 250; number++) habits = after(habits, `choice ${number}`, number);
  expect([habits.size, habits.has('choice 249'), habits.has('choice 49')]).toEqual([200, true, false]);
});

test('choices are kept in this browser', () => {
  keepChoice('command:tab.close', 5);
  expect([...readHabits()]).toEqual([['command:tab.close', { count: 1, at: 5 }]]);
});

test('broken storage is no habits', () => {
  localStorage.setItem('aside.palette', '{"a": 3, "b": {"count": "x"}, "c": {"count": 1, "at": 2}}');
  expect([...readHabits().keys()]).toEqual(['c']);
  localStorage.setItem('aside.palette', '[broken');
  expect(readHabits().size).toBe(0);
});
