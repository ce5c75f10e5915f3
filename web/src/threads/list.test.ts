import { expect, test } from 'vitest';
import type { Thread } from '../wire/gen/types';
import { ago, fileName, groupThreads, newestBeside } from './list';

function thread(id: string, updated: number, rest: Partial<Thread> = {}): Thread {
  return {
    id,
    title: `Title ${id}`,
    document: null,
    mode: 'review_each',
    thinking: 'usual',
    model: null,
    created: 0,
    updated,
    archived: false,
    hint: false,
    without: [],
    grant: null,
    ...rest,
  };
}

const THREADS = [
  thread('old', 1),
  thread('new', 9, { document: 'tides/harmonics.py' }),
  thread('runs', 3),
  thread('waits', 2),
  thread('away', 8, { archived: true }),
  thread('in-a-cell', 10, { document: 'tides/a.ipynb', cell: 'c1' }),
];

function listed(query = '', archived = false, path: string | null = null): string[] {
  const standing = { waiting: new Set(['waits']), running: new Set(['runs', 'waits']), path };
  const groups = groupThreads(THREADS, standing, query, archived);
  return groups.map(({ group, threads }) => `${group}: ${threads.map(({ id }) => id).join(' ')}`);
}

test('waiting threads come first, archived on request', () => {
  expect(listed()).toEqual(['Waiting for you: waits', 'Running: runs', 'Recent: new old']);
  expect(listed('', true)).toEqual(['Waiting for you: waits', 'Running: runs', 'Recent: new old', 'Archived: away']);
});

test('threads of this file follow waiting ones', () => {
  expect(listed('', false, 'tides/harmonics.py')).toEqual([
    'Waiting for you: waits',
    'For this file: new',
    'Running: runs',
    'Recent: old',
  ]);
});

test('the newest thread skips archived and cell threads', () => {
  const document = 'tides.ipynb';
  const threads = [
    thread('first', 2, { document }),
    thread('cell', 8, { document, cell: 'c1' }),
    thread('away', 9, { document, archived: true }),
    thread('second', 5, { document }),
    thread('other', 7, { document: 'model.py' }),
  ];
  expect(newestBeside(threads, document)?.id).toBe('second');
  expect(newestBeside(threads, 'plot.py')).toBeNull();
});

test('finds by words of title and document', () => {
  expect(listed('harm')).toEqual(['Recent: new']);
  expect(listed('title OLD')).toEqual(['Recent: old']);
  expect(listed('nothing')).toEqual([]);
});

test('says how long ago in the largest unit', () => {
  const minute = 60_000;
  const times = [0, 5 * minute, 3 * 60 * minute, 2 * 24 * 60 * minute].map((gone) => ago(0, gone));
  expect(times).toEqual(['now', '5 min', '3 h', '2 d']);
});

test('a title becomes a portable file name', () => {
  expect(fileName('Fix: the “phase” / März?')).toBe('Fix-the-phase-März');
  expect(fileName('../..')).toBe('thread');
});
