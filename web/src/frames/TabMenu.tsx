import { List, type Opener } from '../ui/Menu';
import { menuOf } from './tabActions';
import type { Tab } from './tree';

/** The open menu of a tab: the tab, and the place it opens at. */
export interface OpenTabMenu {
  readonly tab: Tab;
  readonly name: string;
  readonly at: Opener;
}

interface TabMenuProps {
  menu: OpenTabMenu;
  pane: string;
  onClose(back: boolean): void;
}

/** The menu of a tab, at the pointer or below the tab. */
export default function TabMenu({ menu, pane, onClose }: TabMenuProps) {
  return <List label={`Actions for ${menu.name}`} items={menuOf(menu.tab, pane)} opener={menu.at} onClose={onClose} />;
}
