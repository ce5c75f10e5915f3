import { expect, test } from 'vitest';
import { match, rank } from './fuzzy';

const FILES = [
  'crates/aside-core/src/thread.rs',
  'web/src/threads/events.ts',
  'README.md',
  'web/src/app/routes.ts',
  'notes/reading-list.md',
  'tests/test_harmonics.py',
  'tides/harmonics.py',
  'data/readings.csv',
];

function best(query: string): string | undefined {
  return rank(query, FILES, (name) => name, 3)[0]?.entry;
}

test('finds by name, path, initials and words', () => {
  expect(best('harm')).toBe('tides/harmonics.py');
  expect(best('test harm')).toBe('tests/test_harmonics.py');
  expect(best('harm test')).toBe('tests/test_harmonics.py');
  expect(best('readme')).toBe('README.md');
  expect(best('threv')).toBe('web/src/threads/events.ts');
  expect(best('rlm')).toBe('notes/reading-list.md');
});

test('the letters it marks spell the query', () => {
  for (const query of ['harm', 'rdcsv', 'evts']) {
    for (const { entry, at } of rank(query, FILES, (name) => name, 9)) {
      expect(at.map((index) => entry[index]?.toLowerCase()).join('')).toBe(query);
    }
  }
});

test('a name without all letters never matches', () => {
  expect(match('xyz', 'readings.csv')).toBeNull();
  expect(match('vsc', 'readings.csv')).toBeNull();
});

test('an empty query keeps the order given', () => {
  expect(rank('  ', FILES, (name) => name, 2).map(({ entry }) => entry)).toEqual(FILES.slice(0, 2));
});
