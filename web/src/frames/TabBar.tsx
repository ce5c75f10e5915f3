import { type KeyboardEvent, type MouseEvent, Suspense, useEffect, useRef, useState } from 'react';
import { Plain } from '../actions/Plain';
import { useIcon } from '../files/kind';
import { IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { part } from '../ui/part';
import { expectPress, pressTab } from './drag';
import { kindOf, useTitle } from './panes';
import { change, closeTab, openLauncher, splitPane } from './store';
import styles from './TabBar.module.css';
import type { OpenTabMenu } from './TabMenu';
import type { Pane, Tab } from './tree';

const TabMenu = part(() => import('./TabMenu'));
const AllTabs = part(() => import('./AllTabs'));

/** The tabs of a pane. Arrows move along them, Enter shows one, Delete closes it, the menu key opens its menu. */
export function TabBar({ pane }: { pane: Pane }) {
  const list = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<string | null>(null);
  const [menu, setMenu] = useState<OpenTabMenu | null>(null);
  const stop = pane.tabs.some((tab) => tab.id === at) ? at : pane.active;
  const isFull = useActiveInSight(list, pane);
  const [all, setAll] = useState<HTMLElement | null>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    const index = pane.tabs.findIndex((tab) => tab.id === stop);
    const next = nextTab(event.key, index, pane.tabs.length);
    const tab = pane.tabs[next ?? index];
    if (!tab || event.altKey || event.ctrlKey || event.metaKey) return;
    if (next !== null) {
      setAt(tab.id);
      document.getElementById(tab.id)?.focus();
    } else if (event.key === 'Delete') closeTab(tab.id);
    else if (event.key === 'Enter' || event.key === ' ') change({ type: 'activate', tab: tab.id });
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.bar}>
      <div ref={list} className={styles.tabs} role="tablist" aria-label="Tabs" onKeyDown={onKeyDown}>
        {pane.tabs.map((tab) => (
          <TabButton key={tab.id} tab={tab} active={tab.id === pane.active} stop={tab.id === stop} onMenu={setMenu} />
        ))}
      </div>
      <IconButton icon="plus" label="New tab" className={styles.add} onClick={() => openLauncher(pane.id)} />
      <span className={styles.gap} />
      {isFull && (
        <IconButton
          icon="chevronDown"
          label="All tabs"
          aria-haspopup="menu"
          onClick={({ currentTarget }) => setAll(currentTarget)}
        />
      )}
      <IconButton icon="splitRight" label="Split right" onClick={() => splitPane('right', pane.id)} />
      {all && (
        <Suspense fallback={null}>
          <AllTabs
            pane={pane}
            opener={all}
            onClose={(back) => {
              setAll(null);
              if (back) all.focus();
            }}
          />
        </Suspense>
      )}
      {menu && (
        <Suspense fallback={null}>
          <TabMenu
            menu={menu}
            pane={pane.id}
            onClose={(back) => {
              setMenu(null);
              if (back) document.getElementById(menu.tab.id)?.focus();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Keeps the active tab in sight, also when the names before it grow as they become known; tells whether some tabs are not. */
function useActiveInSight(list: { readonly current: HTMLElement | null }, { active, tabs }: Pane): boolean {
  const [isFull, setFull] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other tabs are other elements.
  useEffect(() => {
    const [element, tab] = [list.current, active ? document.getElementById(active)?.parentElement : null];
    if (!tab || !element) return;
    const sizes = new ResizeObserver(() => {
      tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      setFull(element.scrollWidth > element.clientWidth + 1);
    });
    for (const each of [element, ...element.children]) sizes.observe(each);
    return () => sizes.disconnect();
  }, [active, tabs, list]);
  return isFull;
}

interface TabButtonProps {
  tab: Tab;
  active: boolean;
  /** The one that Tab goes to. */
  stop: boolean;
  onMenu(menu: OpenTabMenu): void;
}

function TabButton({ tab, active, stop, onMenu }: TabButtonProps) {
  const fileIcon = useIcon(tab.view.kind === 'file' ? tab.view.path : '');
  const icon = tab.view.kind === 'file' ? fileIcon : kindOf(tab.view).icon;
  const name = useTitle(tab.view);
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault();
    const { clientX: left, clientY: top } = event;
    onMenu({ tab, name, at: { getBoundingClientRect: () => ({ left, top, bottom: top }) } });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tab in it has the keyboard
    <div
      className={styles.tab}
      role="presentation"
      data-active={active}
      data-tab={tab.id}
      onContextMenu={onContextMenu}
    >
      <button
        type="button"
        role="tab"
        id={tab.id}
        aria-selected={active}
        aria-controls={active ? `panel-${tab.id}` : undefined}
        tabIndex={stop ? 0 : -1}
        title={tab.view.kind === 'file' ? tab.view.path : name}
        onKeyDown={(event) => {
          if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return;
          event.preventDefault();
          onMenu({ tab, name, at: event.currentTarget });
        }}
        onClick={() => change({ type: 'activate', tab: tab.id })}
        onPointerEnter={expectPress}
        onPointerDown={(event) => void pressTab(event, tab.id)}
        onAuxClick={(event) => event.button === 1 && closeTab(tab.id)}
      >
        <Icon name={icon} size={14} />
        <span>
          <Plain text={name} />
        </span>
      </button>
      {/* With the keyboard it is Delete on the tab. */}
      <IconButton icon="close" label={`Close ${name}`} tabIndex={-1} aria-hidden onClick={() => closeTab(tab.id)} />
    </div>
  );
}

function nextTab(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowLeft':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
