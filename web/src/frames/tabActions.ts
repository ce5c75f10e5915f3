/** The entries of a tab's menu. Pure but for what an entry runs. */
import { doAction } from '../app/actionFlow';
import { isGuest } from '../app/session';
import { showNav } from '../app/shell';
import { chooseComparison } from '../compare/open';
import { showInTree } from '../files/store';
import { announce } from '../ui/Announcer';
import type { MenuItem } from '../ui/Menu';
import { closeAll } from '../window/commands';
import { change, closeTab, splitPane, useFrames } from './store';
import { paneById, type Tab } from './tree';

/** Returns the entries for a tab of a pane. */
export function menuOf(tab: Tab, pane: string): MenuItem[] {
  return [...closing(tab, pane), ...splitting(tab, pane), ...ofView(tab)];
}

function closing({ id }: Tab, pane: string): MenuItem[] {
  const tabs = (paneById(useFrames.getState().frames, pane)?.tabs ?? []).map((tab) => tab.id);
  const others = tabs.filter((other) => other !== id);
  const after = tabs.slice(tabs.indexOf(id) + 1);
  return [
    { label: 'Close', key: 'Alt-w', run: () => closeTab(id) },
    { label: 'Close others', disabled: others.length === 0, run: () => closeAll(others) },
    { label: 'Close to the right', disabled: after.length === 0, run: () => closeAll(after) },
  ];
}

function splitting({ id }: Tab, pane: string): MenuItem[] {
  const split = (side: 'right' | 'below') => () => {
    change({ type: 'activate', tab: id });
    splitPane(side, pane);
  };
  return [
    { label: 'Split right', key: 'Mod-\\', run: split('right') },
    { label: 'Split down', key: 'Mod-Shift-\\', run: split('below') },
  ];
}

function ofView({ view }: Tab): MenuItem[] {
  if (view.kind === 'file') return ofFile(view.path);
  return view.kind === 'terminal' && !isGuest() ? ofTerminal(view.terminal) : [];
}

function ofFile(path: string): MenuItem[] {
  return [
    { label: 'Copy path', run: () => void copy(path) },
    {
      label: 'Show in the explorer',
      run: () => {
        showNav('files');
        showInTree(path);
      },
    },
    ...(isGuest() ? [] : [{ label: 'Compare with…', run: () => chooseComparison(path) }]),
  ];
}

function ofTerminal(terminal: string): MenuItem[] {
  return [
    { label: 'Rename…', run: () => void import('../terminal/rename').then(({ askName }) => askName(terminal)) },
    {
      label: 'End this terminal',
      run: () => void doAction({ action_type: 'terminal.close', args: { terminal } }),
    },
  ];
}

async function copy(path: string): Promise<void> {
  await navigator.clipboard.writeText(path);
  announce('Path copied');
}
