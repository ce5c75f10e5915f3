// What can show in a tab: one line a kind. A view is the default export of its file and takes PaneProps.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { useGoal } from '../tasks/known';
import type { IconName } from '../ui/Icon';
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
  component: LazyExoticComponent<ComponentType<PaneProps>>;
}

const audit = Object.values(import.meta.glob('../audit/Audit.tsx'))[0] as () => Promise<{
  default: ComponentType<PaneProps>;
}>;

const KINDS: Record<View['kind'], Kind> = {
  file: {
    icon: 'file',
    title: (view) => (view.kind === 'file' ? view.path.slice(view.path.lastIndexOf('/') + 1) : ''),
    component: lazy(() => import('../editor/FileView')),
  },
  audit: { icon: 'audit', title: () => 'What was done', component: lazy(audit) },
  needs_you: { icon: 'hand', title: () => 'Needs you', component: lazy(() => import('../needs/NeedsYou')) },
  tasks: { icon: 'tasks', title: () => 'Tasks', component: lazy(() => import('../tasks/Tasks')) },
  task: { icon: 'tasks', title: () => 'Task', component: lazy(() => import('../tasks/TaskPage')) },
  grants: { icon: 'key', title: () => 'Access', component: lazy(() => import('../grants/Grants')) },
  programs: { icon: 'link', title: () => 'Other programs', component: lazy(() => import('../mcp/Programs')) },
  problems: { icon: 'warning', title: () => 'Problems', component: lazy(() => import('../problems/ProblemList')) },
  history: { icon: 'clock', title: () => 'AI history', component: lazy(() => import('../history/History')) },
  policy: { icon: 'rules', title: () => 'Rules', component: lazy(() => import('../policy/Policy')) },
  models: { icon: 'model', title: () => 'Models', component: lazy(() => import('../models/Models')) },
};

/** The words on the tab of a view: those of its kind, or what a task is for. */
export function useTitle(view: View | undefined): string {
  const goal = useGoal(view?.kind === 'task' ? view.task : null);
  return goal ?? (view ? kindOf(view).title(view) : 'Empty pane');
}

/** What there is to know of a kind of view. */
export function kindOf(view: View): Kind {
  return KINDS[view.kind];
}

const OwnersOnly = lazy(() => import('./OwnersOnly'));

/** What shows a view: to a guest, files and what was found in them. */
export function componentOf(view: View, guest: boolean): Kind['component'] {
  return guest && view.kind !== 'file' && view.kind !== 'problems' ? OwnersOnly : kindOf(view).component;
}
