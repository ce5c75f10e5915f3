import { expect, test } from 'vitest';
import type { McpServer, McpTool, McpToolChoice } from '../wire/gen/types';
import { nextLook } from './nextLook';
import { choicesOf, hintWords, launchFacts, launchOf, launchWords, reachWords, shared, standOf } from './words';

test('commands are quoted, addresses are unchanged', () => {
  expect(launchWords({ kind: 'program', argv: ['npx', '-y', 'a b', ''] })).toBe('npx -y "a b" ""');
  expect(launchWords({ kind: 'http', url: 'https://tools.example/mcp' })).toBe('https://tools.example/mcp');
});

test('secrets are named, never shown', () => {
  const launch = { kind: 'program', argv: ['x'], cwd: '/w', environment: { A: '1' }, inherit: ['TOKEN'] } as const;
  expect(launchFacts({ ...launch, argv: ['x'], inherit: ['TOKEN'] })).toEqual([
    'runs in /w',
    'A=1',
    'TOKEN from your environment or secrets',
  ]);
});

test('a single URL is HTTP, else a command', () => {
  const writing = { name: 'x', inherit: ' KEY \n', launch: 'npx\n-y\n server one ' };
  expect(launchOf(writing)).toEqual({ kind: 'program', argv: ['npx', '-y', 'server one'], inherit: ['KEY'] });
  expect(launchOf({ ...writing, inherit: '', launch: 'https://h/mcp' })).toEqual({
    kind: 'http',
    url: 'https://h/mcp',
  });
});

test('hints are attributed to the server', () => {
  expect(hintWords({ read_only: true })).toBe('According to the server: read-only.');
  expect(hintWords({})).toBe('The server does not describe its risks.');
});

test('headers name their variables', () => {
  const writing = { name: 'x', launch: 'https://h/mcp', inherit: 'Authorization = H_AUTH\nX_KEY' };
  expect(launchOf(writing)).toEqual({
    kind: 'http',
    url: 'https://h/mcp',
    headers: { Authorization: 'H_AUTH', X_KEY: 'X_KEY' },
  });
});

const GRAVE = { risks: ['destructive', 'network'], idempotent: false };
const tool = (name: string) => ({ tool: name, choice: GRAVE }) as McpTool;

test('choices for all tools keep other settings', () => {
  const server = { tools: [tool('a'), tool('b')], changes: [] };
  expect(choicesOf(server)).toEqual({ a: GRAVE, b: GRAVE });
  const chosen = choicesOf(server, { a: { risks: ['read'], idempotent: true } }, ['read', 'write']);
  expect(chosen).toEqual({
    a: { risks: ['read', 'write'], idempotent: true },
    b: { risks: ['read', 'write'], idempotent: false },
  });
});

test('a changed tool loses its choices', () => {
  const read = (name: string) => ({ ...tool(name), choice: { risks: ['read'], idempotent: true } }) as McpTool;
  const server = { tools: [read('a'), read('b')], changes: [{ tool: 'a', before: 'x', after: 'y' }] };
  expect(choicesOf(server)).toEqual({ a: GRAVE, b: { risks: ['read'], idempotent: true } });
});

test('shared risks are those of all choices', () => {
  const choice = (...risks: McpToolChoice['risks']) => ({ risks, idempotent: false });
  expect(shared([choice('read', 'write'), choice('write')])).toEqual(['write']);
  expect(shared([])).toEqual([]);
});

const server = (part: Partial<McpServer>) =>
  ({ launch: { kind: 'program', argv: ['x'] }, state: 'unseen', running: false, tries: 0, ...part }) as McpServer;

test('connection state includes the next retry', () => {
  expect(reachWords(server({ running: true }))).toBe('running');
  expect(reachWords(server({}))).toBe('starts when needed');
  expect(reachWords(server({ started_by_hand: true }))).toBe('manual start');
  expect(reachWords(server({ failure: 'no', tries: 3, retry_in: 8 }))).toBe('failed 3 times, retrying in 8 s');
  expect(reachWords(server({ failure: 'no', tries: 1 }))).toBe('failed once');
  expect(standOf(server({ failure: 'no' })).tone).toBe('err');
  expect(standOf(server({ failure: 'no', state: 'changed' })).word).toContain('changed');
});

test('state is read again during retries', () => {
  expect(nextLook([server({})])).toBe(null);
  expect(nextLook([server({ retry_in: 60 }), server({ retry_in: 2 })])).toBe(3000);
});
