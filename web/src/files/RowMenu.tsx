import { List, type Opener } from '../ui/Menu';
import { menuOf } from './rowActions';
import type { Row } from './rows';

/** The open menu of the explorer: its row, and the place it opens at. */
export interface OpenMenu {
  row: Row | null;
  at: Opener;
}

/** The menu of a row, at the pointer or below the row. */
export function RowMenu({ menu, onClose }: { menu: OpenMenu; onClose(back: boolean): void }) {
  const label = menu.row && !menu.row.hidden ? `Actions for ${menu.row.name}` : 'Actions of the explorer';
  return <List label={label} items={menuOf(menu.row)} opener={menu.at} onClose={onClose} />;
}

/** Returns a point as a place for a menu. */
export function pointAt(x: number, y: number): Opener {
  return { getBoundingClientRect: () => ({ left: x, top: y, bottom: y }) };
}
