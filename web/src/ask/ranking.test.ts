// @vitest-environment happy-dom
// Queries that people type, and the row that has to come first. Commands and actions are the real ones.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { descriptor } from '../testing/descriptors';
import type { Descriptor } from '../wire/gen/types';
import type { Sources } from './entries';
import { entriesFor } from './entries';

const PATHS = [
  'README.md',
  'analysis.ipynb',
  'environment.yml',
  'src/plot.py',
  'src/load.py',
  'src/models/tides.py',
  'src/models/__init__.py',
  'web/src/app/routes.ts',
  'web/src/threads/events.ts',
  'tests/test_plot.py',
  'data/tides.csv',
  'data/stations.csv',
  'notes/plan.md',
  'notes/reading-list.md',
  'paper/main.tex',
  'paper/refs.bib',
  'figures/tides.png',
];

const FIRST: readonly (readonly [query: string, first: string])[] = [
  ['close', 'Close tab'],
  ['close tab', 'Close tab'],
  ['close file', 'Close tab'],
  ['split', 'Split right'],
  ['split down', 'Split down'],
  ['sr', 'Split right'],
  ['side by side', 'Split right'],
  ['new file', 'New file…'],
  ['create file', 'New file…'],
  ['new folder', 'New folder…'],
  ['mkdir', 'New folder…'],
  ['new notebook', 'New notebook…'],
  ['nn', 'New notebook…'],
  ['jupyter', 'New notebook…'],
  ['open file', 'Open file…'],
  ['quick open', 'Open file…'],
  ['save', 'Save'],
  ['shortcuts', 'Keyboard shortcuts'],
  ['hotkeys', 'Keyboard shortcuts'],
  ['help', 'Keyboard shortcuts'],
  ['dark mode', 'Change theme'],
  ['light mode', 'Change theme'],
  ['theme', 'Change theme'],
  ['toggle sidebar', 'Show or hide the explorer'],
  ['hide files', 'Show or hide the explorer'],
  ['explorer', 'Go to the explorer'],
  ['toggle assistant', 'Show or hide the side panel'],
  ['assistant', 'Go to the assistant'],
  ['chat', 'Go to the chat of this file'],
  ['errors', 'Problems'],
  ['problems', 'Problems'],
  ['open problems', 'Problems'],
  ['next problem', 'Next problem'],
  ['next error', 'Next problem'],
  ['models', 'Models'],
  ['open models', 'Models'],
  ['ollama', 'Models'],
  ['API keys', 'Models'],
  ['switch model', 'Choose a model…'],
  ['permissions', 'Permissions'],
  ['rules', 'Permissions'],
  ['go to permissions', 'Permissions'],
  ['audit log', 'Activity log'],
  ['activity', 'Activity log'],
  ['show activity log', 'Activity log'],
  ['history', 'AI history'],
  ['tasks', 'Tasks and recipes'],
  ['recipes', 'Tasks and recipes'],
  ['open tasks', 'Tasks and recipes'],
  ['approvals', 'Waiting for you'],
  ['waiting', 'Waiting for you'],
  ['mcp', 'MCP: connect clients and servers'],
  ['tokens', 'Access tokens and grants'],
  ['new thread', 'New thread'],
  ['new chat', 'New thread'],
  ['rename thread', 'Rename a thread'],
  ['rename file', 'Move or rename a file or folder'],
  ['delete file', 'Delete a file or folder'],
  ['duplicate', 'Copy a file or folder'],
  ['copy file', 'Copy a file or folder'],
  ['restart kernel', 'Restart the kernel'],
  ['rk', 'Restart the kernel'],
  ['interrupt kernel', 'Interrupt the kernel'],
  ['run all cells', 'Run notebook cells'],
  ['clear outputs', 'Clear cell outputs'],
  ['trust notebook', 'Trust a notebook'],
  ['invite', 'Invite a guest'],
  ['run command', 'Run a command in the workspace'],
  ['search text', 'Find in files'],
  ['latex', 'Build a LaTeX document'],
  ['readme', 'README.md'],
  ['open readme', 'README.md'],
  ['plot.py', 'src/plot.py'],
  ['plot', 'src/plot.py'],
  ['test plot', 'tests/test_plot.py'],
  ['tides', 'data/tides.csv'],
  ['tides.py', 'src/models/tides.py'],
  ['models/tides', 'src/models/tides.py'],
  ['routes', 'web/src/app/routes.ts'],
  ['threv', 'web/src/threads/events.ts'],
  ['rlm', 'notes/reading-list.md'],
  ['analysis', 'analysis.ipynb'],
  ['main.tex', 'paper/main.tex'],
  ['show the plan', 'notes/plan.md'],
  ['close all tabs but this', 'Close other tabs'],
  ['close all', 'Close all tabs'],
  ['close others', 'Close other tabs'],
  ['reopen', 'Reopen closed tab'],
  ['rename', 'Move or rename a file or folder'],
  ['delete', 'Delete a file or folder'],
  ['statistics', 'Statistics'],
  ['stats', 'Statistics'],
  ['how well it goes', 'Statistics'],
  ['new tab', 'New tab'],
  ['settings', 'Settings'],
  ['preferences', 'Settings'],
  ['font size', 'Settings'],
  ['why is the sea salty', 'Ask the assistant: why is the sea salty'],
  ['what changed?', 'Ask the assistant: what changed?'],
  ['xqzt', 'Ask the assistant: xqzt'],
];

/** The actions as their pages describe them. */
function catalog(): Descriptor[] {
  const folder = resolve(import.meta.dirname, '../../../docs/actions');
  return readdirSync(folder).flatMap((page) => {
    const [, ...parts] = readFileSync(join(folder, page), 'utf8').split(/^## `/m);
    return parts.map((part) => {
      const [name = '', summary = ''] = part.split(/`\n\n|\n/);
      const phrases = /^- Search terms: (.*)$/m.exec(part)?.[1]?.split(', ') ?? [];
      return descriptor(name, summary.replace(/\.$/, '').replaceAll("'", '’'), { phrases });
    });
  });
}

let sources: Sources;

beforeAll(async () => {
  const commands = await import('../app/commands');
  const { registerShellCommands } = await import('../app/commandList');
  const { registerTabCommands } = await import('../window/commands');
  const { registerThreadCommands } = await import('../threads/commands');
  registerShellCommands();
  registerThreadCommands();
  registerTabCommands();
  // Some commands need a tab.
  const { openFile } = await import('../frames/store');
  openFile('README.md');
  openFile('src/plot.py');
  sources = {
    commands: commands.availableCommands(),
    paths: PATHS,
    recent: [],
    actions: catalog(),
    said: [],
    asks: true,
    hasModel: true,
    edits: [],
    habits: new Map(),
    now: 0,
  };
});

test('the catalog of the pages is whole', () => {
  expect(sources.actions.length).toBeGreaterThan(50);
  expect(sources.commands.length).toBeGreaterThan(35);
});

test('queries find the expected row first', () => {
  const found = FIRST.map(([query]) => [query, entriesFor(query, 'all', sources)[0]?.title]);
  expect(found).toEqual(FIRST);
});

test('twenty thousand files are ranked within a frame', () => {
  const paths = Array.from({ length: 20_000 }, (_, at) => `packages/part-${at % 97}/src/view${at}/index.ts`);
  const many = { ...sources, paths };
  entriesFor('view19', 'all', many);
  const began = performance.now();
  expect(entriesFor('part view1999', 'all', many)[0]?.group).toBe('Files');
  // A busy machine takes longer; letter by letter this took seconds.
  expect(performance.now() - began).toBeLessThan(250);
});
