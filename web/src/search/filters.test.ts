import { expect, test } from 'vitest';
import { askedIn, expressionIn, filterIn, withFilter, withoutFilter, wordsOnly } from './filters';

test('a chip writes its filter into the text', () => {
  expect(withFilter('harbour', 'kind', 'note')).toBe('harbour kind:note ');
  expect(withFilter('kind:code  harbour', 'kind', 'note')).toBe('harbour kind:note ');
  expect(withFilter('harbour', 'path', 'my notes/')).toBe('harbour path:"my notes/" ');
  expect(withFilter('harbour', 'tag', '')).toBe('harbour tag:');
  expect(withoutFilter('sea tag:north "a b"  x', 'tag')).toBe('sea "a b" x');
});

test('the text alone says which filters hold', () => {
  expect(filterIn('Sea KIND:note', 'kind')).toBe('note');
  expect(filterIn('path:"my notes/"', 'path')).toBe('my notes/');
  expect(filterIn('-tag:old', 'tag')).toBeUndefined();
  expect(filterIn('"tag:quoted"', 'tag')).toBeUndefined();
});

test('unfinished filters are not asked for', () => {
  expect(askedIn('sea tag:')).toBe('sea');
  expect(askedIn('sea before:2026-1')).toBe('sea');
  expect(askedIn('sea before:2026-12-01')).toBe('sea before:2026-12-01');
  expect(askedIn('sea before:soon')).toBe('sea before:soon');
  expect(askedIn('https://a.b  --flag')).toBe('https://a.b  --flag');
});

test('words remain without their filters', () => {
  expect(wordsOnly('kind:note "sea level" has:todo -tag:old')).toBe('"sea level"');
});

test('an expression stands between slashes', () => {
  expect(expressionIn('tide /v\\d+\\/x/')).toBe('v\\d+\\/x');
  expect(expressionIn('/usr/bin')).toBeNull();
  expect(expressionIn('a / b')).toBeNull();
});
