import { expect, test } from 'vitest';
import type { Command } from '../app/commands';
import type { Descriptor, ThreadFound } from '../wire/gen/types';
import { entriesFor, requiredArguments, type Sources } from './entries';

function descriptor(name: string, summary: string, required: string[]): Descriptor {
  return {
    name,
    summary,
    description: '',
    args_schema: { type: 'object', required },
    preconditions: [],
    effect: 'workspace',
    risks: ['write'],
    grant_needed: { actions: [name], risks: ['write'] },
    places: ['workspace'],
    undo: 'inverse',
    examples: [],
    phrases: [],
    tags: [],
    safety: [],
    label: 'workspace',
  };
}

const SOURCES: Sources = {
  commands: [
    { id: 'tab.close', title: 'Close tab', group: 'Panes', run: () => {}, keys: ['Alt-w'] },
    { id: 'region.next', title: 'Next region', group: 'Window', run: () => {}, hidden: true },
  ],
  paths: ['notes/close-reading.md', 'tides/harmonics.py'],
  recent: ['tides/harmonics.py'],
  actions: [descriptor('file.move', 'Move or rename a file', ['from', 'to'])],
  said: [],
  asks: true,
  edits: [],
};

function titles(query: string, mode: 'all' | 'files' = 'all'): string[] {
  return entriesFor(query, mode, SOURCES).map((entry) => entry.title);
}

test('threads come before asking and open their turn', () => {
  const thread = { id: 't1', title: 'Late tides' } as ThreadFound['thread'];
  const said = [{ thread, turn: 'turn_1', excerpt: 'why do they come late?' }];
  const entries = entriesFor('late', 'all', { ...SOURCES, said });
  expect(entries.map(({ title }) => title)).toEqual(['Late tides', 'Ask: late']);
  expect(entries[0]?.choice).toEqual({ kind: 'thread', thread: 't1', turn: 'turn_1' });
});

test('empty text lists commands and recent files', () => {
  expect(titles('')).toEqual(['Close tab', 'tides/harmonics.py', 'notes/close-reading.md']);
});

test('asking comes after commands and files', () => {
  expect(titles('close')).toEqual(['Close tab', 'notes/close-reading.md', 'Ask: close']);
});

test('a sentence is asked', () => {
  expect(titles('why is the phase wrong')[0]).toBe('Ask: why is the phase wrong');
  expect(titles('close?')[0]).toBe('Ask: close?');
});

test('a command’s title wins over asking', () => {
  const close = { ...SOURCES.commands[0], title: 'Close all of the other tabs' } as Command;
  const entries = entriesFor('close all of the other', 'all', { ...SOURCES, commands: [close] });
  expect(entries.map(({ title }) => title)).toEqual([close.title, 'Ask: close all of the other']);
});

test('actions are found by their words', () => {
  expect(titles('rename')).toEqual(['Move or rename a file', 'Ask: rename']);
  expect(requiredArguments(SOURCES.actions[0] as Descriptor)).toEqual(['from', 'to']);
});

test('in files mode there are only files', () => {
  expect(titles('close', 'files')).toEqual(['notes/close-reading.md']);
});

test('asking needs an assistant', () => {
  const found = entriesFor('what is this?', 'all', { ...SOURCES, asks: false });
  expect(found.filter(({ group }) => group === 'Ask')).toEqual([]);
});
