// The commands that open a page.
import { openView } from '../frames/store';
import { PICK_KEY, pickModel } from '../models/picking';
import type { Command } from './commands';

/** The key of the list of what waits for a person. */
export const NEEDS_YOU_KEY = 'Alt-u';

/** All of them. */
export const pages: Command[] = [
  {
    id: 'settings.open',
    owners: true,
    title: 'Settings',
    group: 'Pages',
    keys: ['Mod-,'],
    run: () => openView({ kind: 'settings' }),
  },
  {
    id: 'needs_you.open',
    owners: true,
    title: 'Waiting for you',
    group: 'Pages',
    keys: [NEEDS_YOU_KEY],
    run: () => openView({ kind: 'needs_you' }),
  },
  {
    id: 'tasks.open',
    owners: true,
    title: 'Tasks and recipes',
    group: 'Pages',
    run: () => openView({ kind: 'tasks' }),
  },
  { id: 'todos.open', owners: true, title: 'Todos', group: 'Pages', run: () => openView({ kind: 'todos' }) },
  {
    id: 'note.today',
    owners: true,
    title: 'Open today’s daily note',
    group: 'Notes',
    keys: ['Alt-d'],
    run: () => void import('../notes/daily').then(({ openToday }) => openToday()),
  },
  {
    id: 'note.from_template',
    owners: true,
    title: 'New note from template…',
    group: 'Notes',
    run: () => void import('../notes/chooseTemplate').then(({ chooseTemplate }) => chooseTemplate()),
  },
  {
    id: 'window.zen',
    title: 'Zen mode',
    group: 'Window',
    keys: ['Alt-Shift-z'],
    run: () => void import('./zen').then(({ toggleZen }) => toggleZen()),
  },
  { id: 'audit.open', owners: true, title: 'Activity log', group: 'Pages', run: () => openView({ kind: 'audit' }) },
  { id: 'history.open', owners: true, title: 'AI history', group: 'Pages', run: () => openView({ kind: 'history' }) },
  {
    id: 'statistics.open',
    owners: true,
    title: 'Statistics',
    group: 'Pages',
    run: () => openView({ kind: 'statistics' }),
  },
  {
    id: 'coverage.open',
    owners: true,
    title: 'Coverage of actions',
    group: 'Pages',
    run: () => openView({ kind: 'coverage' }),
  },
  {
    id: 'model.choose',
    owners: true,
    title: 'Choose a model…',
    group: 'Assistant',
    keys: [PICK_KEY],
    run: () => pickModel(),
  },
  {
    id: 'terminal.toggle',
    owners: true,
    title: 'Go to the terminal, or back',
    group: 'Terminal',
    keys: ['Ctrl-`', 'Ctrl-Alt-t'],
    run: () => terminals(({ toggleTerminal }) => toggleTerminal()),
  },
  {
    id: 'terminal.open',
    owners: true,
    title: 'New terminal',
    group: 'Terminal',
    keys: ['Ctrl-Shift-`'],
    run: () => terminals(({ openTerminal }) => void openTerminal()),
  },
  {
    id: 'problems.open',
    title: 'Problems',
    group: 'Problems',
    run: () => void import('../problems/goTo').then(({ openProblems }) => openProblems()),
  },
  {
    id: 'problems.next',
    title: 'Next problem',
    group: 'Problems',
    keys: ['F8'],
    run: () => void import('../problems/goTo').then(({ step }) => step(1)),
  },
  {
    id: 'problems.previous',
    title: 'Previous problem',
    group: 'Problems',
    keys: ['Shift-F8'],
    run: () => void import('../problems/goTo').then(({ step }) => step(-1)),
  },
  { id: 'models.open', owners: true, title: 'Models', group: 'Pages', run: () => openView({ kind: 'models' }) },
  {
    id: 'policy.open',
    owners: true,
    title: 'Permissions',
    group: 'Pages',
    run: () => openView({ kind: 'policy' }),
  },
  {
    id: 'grants.open',
    owners: true,
    title: 'Access tokens and grants',
    group: 'Pages',
    run: () => openView({ kind: 'grants' }),
  },
  {
    id: 'programs.open',
    owners: true,
    title: 'MCP: connect clients and servers',
    group: 'Pages',
    run: () => openView({ kind: 'programs' }),
  },
];

function terminals(run: (open: typeof import('../terminal/open')) => void): void {
  void import('../terminal/open').then(run);
}
