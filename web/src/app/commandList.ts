// The shell's own commands. Features register theirs in their own folder.
import { flushSync } from 'react-dom';
import { kindOf } from '../files/kind';
import { change, closeTab, focusedView, focusNextPane, moveFocusedTab, splitPane, useFrames } from '../frames/store';
import { focusedPane } from '../frames/tree';
import { showSide, writeInChat } from '../side/modes';
import type { FileKind } from '../wire/gen/types';
import { answerCard, CARD_KEYS, isCardWaiting } from './cardKeys';
import { type Command, registerCommands } from './commands';
import { naming } from './naming';
import { pages } from './pageCommands';
import { focusNextRegion, focusRegion } from './regions';
import { SAVE_KEY } from './saveKey';
import { openPalette, showNav, toggleRegion, useShell } from './shell';
import { cycleTheme } from './theme';

/** Adds the shell's commands; returns what takes them out again. */
export function registerShellCommands(): () => void {
  return registerCommands([...find, ...pages, ...cards, ...regions, ...tabs, ...numberedTabs(), ...look]);
}

const find: Command[] = [
  {
    id: 'palette.open',
    title: 'Ask or find…',
    group: 'Find',
    keys: ['Mod-k', 'F1'],
    run: () => openPalette(),
    hidden: true,
  },
  {
    id: 'search.open',
    title: 'Search',
    group: 'Find',
    keys: ['Alt-f'],
    run: () => searching(({ openSearch }) => openSearch()),
  },
  {
    id: 'find.open',
    title: 'Find in files',
    group: 'Find',
    keys: ['Mod-Shift-f'],
    run: () => searching(({ openFind }) => openFind()),
  },
  {
    id: 'find.replace',
    owners: true,
    title: 'Replace in files',
    group: 'Find',
    keys: ['Mod-Shift-h'],
    run: () => searching(({ openFind }) => openFind(true)),
  },
  { id: 'file.open', title: 'Open file…', group: 'Find', keys: ['Mod-p'], run: () => openPalette('files') },
  {
    id: 'file.recent',
    title: 'Open recent…',
    group: 'Find',
    run: () => openPalette('recent'),
  },
  {
    id: 'file.compare',
    owners: true,
    title: 'Compare with…',
    group: 'Files',
    when: () => focusedView()?.kind === 'file',
    run: () => {
      const view = focusedView();
      if (view?.kind === 'file')
        void import('../compare/open').then(({ chooseComparison }) => chooseComparison(view.path));
    },
  },
  {
    id: 'notebook.new',
    owners: true,
    title: 'New notebook…',
    group: 'Files',
    run: () => naming(({ startNewNotebook }) => startNewNotebook()),
  },
  {
    id: 'file.new',
    owners: true,
    title: 'New file…',
    group: 'Files',
    run: () => naming(({ startNew }) => startNew('file')),
  },
  {
    id: 'folder.new',
    owners: true,
    title: 'New folder…',
    group: 'Files',
    run: () => naming(({ startNew }) => startNew('folder')),
  },
  {
    id: 'file.save',
    title: 'Save',
    group: 'Files',
    keys: [SAVE_KEY],
    when: () => savablePath() !== null,
    run: () => {
      const path = savablePath();
      if (path !== null) void import('../editor/save').then(({ saveFile }) => saveFile(path));
    },
  },
  {
    id: 'keys.help',
    title: 'Keyboard shortcuts',
    group: 'Find',
    keys: ['?'],
    run: () => useShell.setState({ help: true }),
  },
];

/** The focused file, if it is one that can be edited. */
function savablePath(): string | null {
  const view = focusedView();
  return view?.kind === 'file' && !UNEDITED.has(kindOf(view.path)) ? view.path : null;
}

const UNEDITED: ReadonlySet<FileKind> = new Set(['image', 'pdf', 'audio', 'video', 'binary']);

function searching(start: (open: typeof import('../search/open')) => void): void {
  void import('../search/open').then(start);
}

const cards: Command[] = (['accept', 'reject'] as const).map((intent) => ({
  id: `card.${intent}`,
  title: intent === 'accept' ? 'Accept the first card that waits' : 'Reject the first card that waits',
  group: 'Review',
  keys: [CARD_KEYS[intent]],
  once: true,
  owners: true,
  when: () => isCardWaiting(intent),
  run: () => answerCard(intent),
}));

/** Where a message is written, if one can be; else wherever the person was in the side. */
function toAssistant(): void {
  focusRegion('side');
  window.dispatchEvent(new Event('aside:compose'));
}

const regions: Command[] = [
  {
    id: 'assistant.focus',
    owners: true,
    title: 'Go to the assistant',
    group: 'Window',
    keys: ['Mod-j'],
    run: () => {
      // At once, so that no letter that is typed next goes elsewhere; and again, where the side has only begun to open.
      flushSync(() => showSide('assistant'));
      toAssistant();
      requestAnimationFrame(toAssistant);
    },
  },
  {
    id: 'chat.focus',
    title: 'Go to the chat of this file',
    group: 'Window',
    keys: ['Alt-c'],
    run: writeInChat,
  },
  {
    id: 'files.focus',
    title: 'Go to the explorer',
    group: 'Window',
    keys: ['Mod-Shift-e'],
    run: () => {
      showNav('files');
      requestAnimationFrame(() => focusRegion('nav'));
    },
  },
  { id: 'files.toggle', title: 'Show or hide the explorer', group: 'Window', run: () => toggleRegion('nav') },
  { id: 'assistant.toggle', title: 'Show or hide the side panel', group: 'Window', run: () => toggleRegion('side') },
  {
    id: 'region.next',
    title: 'Next region',
    group: 'Window',
    keys: ['F6'],
    run: () => focusNextRegion(1),
    hidden: true,
  },
  {
    id: 'region.previous',
    title: 'Previous region',
    group: 'Window',
    keys: ['Shift-F6'],
    run: () => focusNextRegion(-1),
    hidden: true,
  },
];

const tabs: Command[] = [
  { id: 'pane.split_right', title: 'Split right', group: 'Panes', keys: ['Mod-\\'], run: () => splitPane('right') },
  {
    id: 'pane.split_down',
    title: 'Split down',
    group: 'Panes',
    keys: ['Mod-Shift-\\'],
    run: () => splitPane('below'),
  },
  {
    id: 'tab.close',
    title: 'Close tab',
    group: 'Panes',
    keys: ['Alt-w'],
    run: () => closeTab(current().active ?? ''),
    when: () => !!focusedView(),
  },
  { id: 'pane.next', title: 'Next pane', group: 'Panes', keys: ['Mod-Alt-ArrowRight'], run: () => focusNextPane(1) },
  {
    id: 'pane.previous',
    title: 'Previous pane',
    group: 'Panes',
    keys: ['Mod-Alt-ArrowLeft'],
    run: () => focusNextPane(-1),
  },
  {
    id: 'tab.move_right',
    title: 'Move tab right',
    group: 'Panes',
    keys: ['Alt-Shift-ArrowRight'],
    run: () => moveFocusedTab(1),
    when: () => !!focusedView(),
  },
  {
    id: 'tab.move_left',
    title: 'Move tab left',
    group: 'Panes',
    keys: ['Alt-Shift-ArrowLeft'],
    run: () => moveFocusedTab(-1),
    when: () => !!focusedView(),
  },
];

const look: Command[] = [{ id: 'theme.next', title: 'Change theme', group: 'Window', run: cycleTheme }];

function numberedTabs(): Command[] {
  return Array.from({ length: 9 }, (_, index) => ({
    id: `tab.${index + 1}`,
    title: `Tab ${index + 1}`,
    group: 'Panes',
    keys: [`Alt-${index + 1}`],
    hidden: true,
    when: () => current().tabs[index] !== undefined,
    run: () => change({ type: 'activate', tab: current().tabs[index]?.id ?? '' }),
  }));
}

const current = () => focusedPane(useFrames.getState().frames);
