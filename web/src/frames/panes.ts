// What can show in a tab: one line a kind. A view is the default export of its file and takes PaneProps.
import type { ComponentType } from 'react';
import { comparisonTitle } from '../compare/compared';
import { useGoal } from '../tasks/known';
import { nameOf, useTerminal } from '../terminal/known';
import type { IconName } from '../ui/Icon';
import { part } from '../ui/part';
import type { View } from './tree';

/** What every view gets. */
export interface PaneProps {
  view: View;
  tab: string;
  /** The pane has the person's attention. */
  focused: boolean;
}

interface Kind {
  icon: IconName;
  title(view: View): string;
  component: ComponentType<PaneProps>;
}

const audit = Object.values(import.meta.glob('../audit/Audit.tsx'))[0] as () => Promise<{
  default: ComponentType<PaneProps>;
}>;

const FileView = part(() => import('../editor/FileView'));

/** Loads what shows files. */
export const preloadFiles = FileView.preload;

/** The ways to begin, in a new tab and in a pane without tabs. */
export const Launcher = part(() => import('../ask/Launcher'));

const KINDS: Record<View['kind'], Kind> = {
  file: {
    icon: 'file',
    title: (view) => (view.kind === 'file' ? view.path.slice(view.path.lastIndexOf('/') + 1) : ''),
    component: FileView,
  },
  settings: { icon: 'settings', title: () => 'Settings', component: part(() => import('../settings/SettingsPage')) },
  audit: { icon: 'audit', title: () => 'Activity log', component: part(audit) },
  needs_you: { icon: 'bell', title: () => 'Waiting for you', component: part(() => import('../needs/NeedsYou')) },
  tasks: { icon: 'tasks', title: () => 'Tasks', component: part(() => import('../tasks/Tasks')) },
  todos: { icon: 'check', title: () => 'Todos', component: part(() => import('../notes/Todos')) },
  task: { icon: 'tasks', title: () => 'Task', component: part(() => import('../tasks/TaskPage')) },
  terminal: { icon: 'fileShell', title: () => 'Terminal', component: part(terminalView) },
  compare: {
    icon: 'compare',
    title: (view) => (view.kind === 'compare' ? comparisonTitle(view.of) : ''),
    component: part(() => import('../compare/CompareView')),
  },
  grants: { icon: 'key', title: () => 'Access tokens', component: part(() => import('../grants/Grants')) },
  programs: { icon: 'link', title: () => 'MCP', component: part(() => import('../mcp/Programs')) },
  problems: { icon: 'warning', title: () => 'Problems', component: part(() => import('../problems/ProblemList')) },
  history: { icon: 'clock', title: () => 'AI history', component: part(() => import('../history/History')) },
  statistics: {
    icon: 'fileTable',
    title: () => 'Statistics',
    component: part(() => import('../statistics/StatisticsPage')),
  },
  coverage: { icon: 'rules', title: () => 'Coverage', component: part(() => import('../coverage/CoveragePage')) },
  launcher: { icon: 'plus', title: () => 'New tab', component: Launcher },
  policy: { icon: 'rules', title: () => 'Permissions', component: part(() => import('../policy/Policy')) },
  models: { icon: 'model', title: () => 'Models', component: part(() => import('../models/Models')) },
};

/** The terminal measures its letters once, when it is first shown: they have to be there. */
async function terminalView() {
  const [view] = await Promise.all([import('../terminal/TerminalView'), document.fonts.load('1em "Geist Mono"')]);
  return view;
}

/** The words on the tab of a view: those of its kind, what a task is for, or the name of a terminal. */
export function useTitle(view: View | undefined): string {
  const goal = useGoal(view?.kind === 'task' ? view.task : null);
  const terminal = useTerminal(view?.kind === 'terminal' ? view.terminal : null);
  if (terminal) return nameOf(terminal);
  return goal ?? (view ? kindOf(view).title(view) : 'Empty pane');
}

/** What there is to know of a kind of view. */
export function kindOf(view: View): Kind {
  return KINDS[view.kind];
}

const OwnersOnly = part(() => import('./OwnersOnly'));

/** What shows a view: to a guest, files and what was found in them. */
export function componentOf(view: View, guest: boolean): Kind['component'] {
  return guest && view.kind !== 'file' && view.kind !== 'problems' ? OwnersOnly : kindOf(view).component;
}
