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
  for (const query of ['harm', 'rlm', 'threv', 'adings']) {
    const ranked = rank(query, FILES, (name) => name, 9);
    expect(ranked.length).toBeGreaterThan(0);
    for (const { entry, at } of ranked) {
      expect(at.map((index) => entry[index]?.toLowerCase()).join('')).toBe(query);
    }
  }
});

test('scattered letters match nothing', () => {
  expect(match('xyz', 'readings.csv')).toBeNull();
  expect(match('rdcsv', 'readings.csv')).toBeNull();
  expect(match('but', 'Build a LaTeX document')).toBeNull();
  expect(match('close all tabs but this', 'Build a LaTeX document')).toBeNull();
});

test('every word has to match', () => {
  expect(match('split', 'Split right')).not.toBeNull();
  expect(match('split banana', 'Split right')).toBeNull();
  expect(match('split split', 'Split right')).toBeNull();
});

test('abbreviations pass over small words only', () => {
  expect(match('gta', 'Go to the assistant')?.at).toEqual([0, 3, 10]);
  expect(match('gw', 'Go to the next window')).toBeNull();
});

test('whole names come first, pieces come last', () => {
  const names = ['notebook_models.py', 'Model settings', 'models', 'my old dell'];
  expect(rank('models', names, (name) => name, 4).map(({ entry }) => entry)).toEqual([
    'models',
    'notebook_models.py',
    'Model settings',
  ]);
});

test('other words rank below the name', () => {
  const others = (name: string) => (name === 'Change theme' ? ['dark mode'] : []);
  const found = rank('dark', ['Change theme', 'dark.css'], (name) => name, 4, { others });
  expect(found.map(({ entry, at }) => [entry, at.length])).toEqual([
    ['dark.css', 4],
    ['Change theme', 0],
  ]);
});

test('an empty query keeps the order given', () => {
  expect(rank('  ', FILES, (name) => name, 2).map(({ entry }) => entry)).toEqual(FILES.slice(0, 2));
});
