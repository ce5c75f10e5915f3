// The menu of a terminal.
import { doAction } from '../app/actionFlow';
import { help } from '../problems/help';
import type { MenuItem } from '../ui/Menu';
import { copySelection, pasteFromClipboard } from './clipboard';
import { knownTerminal } from './known';
import { choosePreference, useTerminalPreferences } from './preferences';
import type { Screen } from './screen';

/** Returns the entries. */
export function menuItems(screen: Screen, find: () => void): MenuItem[] {
  const { terminal } = screen;
  const { screenReader, tabMoves } = useTerminalPreferences.getState();
  const { exit, gone } = screen.state.getState();
  const has = terminal.hasSelection();
  const name = knownTerminal(screen.id)?.name ?? '';
  const askHelp = () => void help({ logs: [{ name: `Terminal ${name}`, text: screen.textForHelp() }] }, false);
  return [
    { label: 'Copy', key: 'Ctrl-Shift-c', disabled: !has, run: () => void copySelection(screen) },
    { label: 'Paste', key: 'Ctrl-Shift-v', disabled: exit !== null, run: () => void pasteFromClipboard(screen) },
    { label: 'Select all', run: () => terminal.selectAll() },
    { label: 'Find', key: 'Mod-f', run: find },
    { label: 'Clear', key: 'Ctrl-Shift-l', run: () => terminal.clear() },
    { label: has ? 'Help me fix the selection' : 'Help me fix the last lines', run: askHelp },
    {
      label: screenReader ? 'Screen reader mode off' : 'Screen reader mode on',
      key: 'Alt-Shift-F1',
      run: () => choosePreference({ screenReader: !screenReader }),
    },
    {
      label: tabMoves ? 'Tab goes to the program' : 'Tab moves focus',
      key: 'Ctrl-Shift-m',
      run: () => choosePreference({ tabMoves: !tabMoves }),
    },
    ...(exit === null && gone === null
      ? [
          {
            label: 'End this terminal',
            run: () => void doAction({ action_type: 'terminal.close', args: { terminal: screen.id } }),
          },
        ]
      : []),
  ];
}
