// What can show in a tab: one line a kind. A view is the default export of its file and takes PaneProps.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { IconName } from '../ui/Icon';
import type { View } from './tree';

/** What every view gets. */
export interface PaneProps<V extends View = View> {
  view: V;
  tab: string;
  /** The pane has the person's attention. */
  focused: boolean;
}

interface Kind {
  icon: IconName;
  title(view: View): string;
  component: LazyExoticComponent<ComponentType<PaneProps>> | null;
}

type Module = { default: ComponentType<PaneProps> };

function found(modules: Record<string, () => Promise<unknown>>): Kind['component'] {
  const load = Object.values(modules)[0] as (() => Promise<Module>) | undefined;
  return load ? lazy(load) : null;
}

const KINDS: Record<View['kind'], Kind> = {
  file: {
    icon: 'file',
    title: (view) => (view.kind === 'file' ? view.path.slice(view.path.lastIndexOf('/') + 1) : ''),
    component: lazy(() => import('../editor/FileView') as Promise<unknown> as Promise<Module>),
  },
  audit: { icon: 'audit', title: () => 'What was done', component: found(import.meta.glob('../audit/Audit.tsx')) },
  models: { icon: 'model', title: () => 'Models', component: found(import.meta.glob('../models/Models.tsx')) },
};

/** What there is to know of a kind of view. */
export function kindOf(view: View): Kind {
  return KINDS[view.kind];
}
