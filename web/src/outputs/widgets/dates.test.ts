import { expect, it } from 'vitest';
import { fromField, toField } from './dates';

it('takes days and times to fields and back', () => {
  const day = { year: 2026, month: 10, date: 22 };
  const time = { hours: 9, minutes: 5, seconds: 0, milliseconds: 0 };
  expect([toField(day, 'date'), fromField('2026-11-22', 'date')]).toEqual(['2026-11-22', day]);
  expect([toField(time, 'time'), fromField('09:05', 'time')]).toEqual(['09:05', time]);
  expect(toField({ ...day, ...time, seconds: 7 }, 'datetime-local')).toBe('2026-11-22T09:05:07');
  expect(fromField('2026-11-22T09:05', 'datetime-local')).toEqual({ ...day, ...time });
});

it('shows a time with a zone as the clock here goes, and tells it in UTC', () => {
  const value = { year: 2026, month: 0, date: 1, hours: 12, minutes: 30, seconds: 0, milliseconds: 0 };
  expect(fromField(toField(value, 'datetime-local', true), 'datetime-local', true)).toEqual(value);
});

it('takes nothing, and what is no moment, for nothing', () => {
  expect([toField(null, 'date'), toField('x', 'date'), fromField('', 'date')]).toEqual(['', '', null]);
});
