import { List, type Opener } from '../ui/Menu';
import { kindOf } from './panes';
import { change } from './store';
import type { Pane } from './tree';

interface AllTabsProps {
  pane: Pane;
  opener: Opener;
  onClose(back: boolean): void;
}

/** The tabs of a pane as a list, where they have no room beside each other. */
export default function AllTabs({ pane, opener, onClose }: AllTabsProps) {
  const items = pane.tabs.map(({ id, view }) => ({
    id,
    label: view.kind === 'file' ? view.path : (document.getElementById(id)?.textContent ?? kindOf(view).title(view)),
    run: () => change({ type: 'activate', tab: id }),
  }));
  return <List label="All tabs" items={items} opener={opener} onClose={onClose} />;
}
