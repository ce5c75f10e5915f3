import { expect, test } from 'vitest';
import type { Command } from '../app/commands';
import { descriptor, step } from '../testing/descriptors';
import type { RoutedSentence, ThreadFound } from '../wire/gen/types';
import { beginningFor, entriesFor, requiredArguments, type Sources } from './entries';

const MOVE = descriptor('file.move', 'Move or rename a file', { required: ['from', 'to'] });

const SOURCES: Sources = {
  commands: [
    { id: 'tab.close', title: 'Close tab', group: 'Panes', run: () => {}, keys: ['Alt-w'] },
    { id: 'region.next', title: 'Next region', group: 'Window', run: () => {}, hidden: true },
  ],
  paths: ['notes/close-reading.md', 'tides/harmonics.py'],
  recent: ['tides/harmonics.py'],
  actions: [MOVE],
  said: [],
  asks: true,
  hasModel: true,
  edits: [],
  habits: new Map(),
  now: 0,
};

function titles(query: string, mode: 'all' | 'files' = 'all'): string[] {
  return entriesFor(query, mode, SOURCES).map((entry) => entry.title);
}

test('threads come before asking and open their turn', () => {
  const thread = { id: 't1', title: 'Late tides' } as ThreadFound['thread'];
  const said = [{ thread, turn: 'turn_1', excerpt: 'why do they come late?' }];
  const entries = entriesFor('late', 'all', { ...SOURCES, said });
  expect(entries.map(({ title }) => title)).toEqual(['Late tides', 'Ask the assistant: late']);
  expect(entries[0]?.choice).toEqual({ kind: 'thread', thread: 't1', turn: 'turn_1' });
});

test('empty text lists commands and recent files', () => {
  expect(titles('')).toEqual(['Close tab', 'tides/harmonics.py', 'notes/close-reading.md']);
});

test('recent choices come first before typing', () => {
  const habits = new Map([
    ['file:notes/close-reading.md', { count: 1, at: 5 }],
    ['command:tab.close', { count: 9, at: 3 }],
    ['command:gone', { count: 9, at: 9 }],
  ]);
  const entries = entriesFor('', 'all', { ...SOURCES, habits });
  expect(entries.map(({ group, title }) => `${group}: ${title}`)).toEqual([
    'Recently used: notes/close-reading.md',
    'Recently used: Close tab',
    'Files: tides/harmonics.py',
  ]);
});

test('asking comes after actions and files', () => {
  expect(titles('close')).toEqual(['Close tab', 'notes/close-reading.md', 'Ask the assistant: close']);
});

test('a sentence is asked', () => {
  expect(titles('why is the phase wrong')[0]).toBe('Ask the assistant: why is the phase wrong');
  expect(titles('close?')[0]).toBe('Ask the assistant: close?');
});

test('a command’s title wins over asking', () => {
  const close = { ...SOURCES.commands[0], title: 'Close all of the other tabs' } as Command;
  const entries = entriesFor('close all of the other', 'all', { ...SOURCES, commands: [close] });
  expect(entries.map(({ title }) => title)).toEqual([close.title, 'Ask the assistant: close all of the other']);
});

const routes = (kind: RoutedSentence['kind'], rest: Partial<RoutedSentence> = {}): RoutedSentence => {
  return { kind, actions: [], candidates: [], took_us: 9, ...rest };
};

test('the understood action comes first with its risk', () => {
  const routed = routes('action', { actions: [step('file.move', { title: 'Rename a file', detail: 'a.md, b.md' })] });
  const [first, ...others] = entriesFor('close', 'all', SOURCES, routed);
  expect(first).toMatchObject({ group: 'Do', title: 'Rename a file', detail: 'a.md, b.md', risk: 'write' });
  expect(others.map(({ title }) => title)).toEqual(titles('close'));
});

test('candidates of a choice have own rows', () => {
  const candidates = ['a/x.md', 'b/x.md'].map((detail) => step('ui.open', { detail, is_gentle: true }));
  const rows = entriesFor('open x.md', 'all', SOURCES, routes('choose', { candidates }));
  expect(rows.slice(0, 2).map(({ group, detail, risk }) => [group, detail, risk])).toEqual([
    ['Which one?', 'a/x.md', 'window'],
    ['Which one?', 'b/x.md', 'window'],
  ]);
});

test('a route for a model adds no row', () => {
  expect(entriesFor('close', 'all', SOURCES, routes('model'))).toEqual(entriesFor('close', 'all', SOURCES));
});

test('actions are found by their words', () => {
  expect(titles('rename')).toEqual(['Move or rename a file', 'Ask the assistant: rename']);
  expect(requiredArguments(MOVE)).toEqual(['from', 'to']);
});

test('a sentence begins with the first phrase’s words', () => {
  const phrases = ['rename the file', '(rename|move) [the] file {from:file} to {to}'];
  expect(beginningFor({ ...MOVE, phrases })).toBe('rename file ');
  expect(beginningFor({ ...MOVE, phrases: ['close [all] tabs => which=all'] })).toBe('close tabs ');
  expect(beginningFor({ ...MOVE, phrases: [] })).toBe('Move or rename a file ');
});

test('a file named whole comes before actions', () => {
  const commands = [{ id: 'x', title: 'Harmonics of the tide', group: 'Panes', run: () => {} }];
  const found = entriesFor('harmonics.py', 'all', { ...SOURCES, commands });
  expect(found[0]?.title).toBe('tides/harmonics.py');
});

test('a verb of showing belongs to no name', () => {
  expect(titles('open the harmonics')[0]).toBe('tides/harmonics.py');
});

test('frequent choices come first among equals', () => {
  const commands = ['Split left', 'Split down'].map((title) => ({ id: title, title, group: 'Panes', run: () => {} }));
  const habits = new Map([['command:Split down', { count: 3, at: 0 }]]);
  const first = (sources: Sources) => entriesFor('split', 'all', sources)[0]?.title;
  expect([first({ ...SOURCES, commands }), first({ ...SOURCES, commands, habits })]).toEqual([
    'Split left',
    'Split down',
  ]);
});

test('in files mode there are only files', () => {
  expect(titles('close', 'files')).toEqual(['notes/close-reading.md']);
});

test('asking needs an assistant', () => {
  const found = entriesFor('what is this?', 'all', { ...SOURCES, asks: false });
  expect(found.filter(({ group }) => group === 'Assistant')).toEqual([]);
});

test('asking without a model says so', () => {
  const found = entriesFor('why?', 'all', { ...SOURCES, hasModel: false });
  expect(found.at(-1)?.detail).toBe('no model connected');
});
