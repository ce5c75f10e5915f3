import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { doAction } from '../app/actionFlow';
import { keyLabel } from '../app/keymap';
import type { PaneProps } from '../frames/panes';
import { closeTab } from '../frames/store';
import { useArrival } from '../frames/useArrival';
import { announce } from '../ui/Announcer';
import ansi from '../ui/Ansi.module.css';
import { Button } from '../ui/Button';
import { List, type Opener } from '../ui/Menu';
import { join } from '../ui/names';
import type { TerminalExit } from '../wire/gen/types';
import { AskPaste } from './AskPaste';
import { copySelection, pasteInto } from './clipboard';
import { FindInTerminal } from './FindInTerminal';
import { terminalKey } from './keys';
import { useTerminal } from './known';
import { menuItems } from './menu';
import { openTerminal, usedTerminal } from './open';
import { choosePreference, useTerminalPreferences } from './preferences';
import type { Screen } from './screen';
import { screenOf } from './screens';
import { LinkTarget, TerminalBar } from './TerminalBar';
import styles from './TerminalView.module.css';

/** A terminal in a tab: its bar, its screen, and why nothing can be typed any more. */
export default function TerminalView({ view, tab, focused }: PaneProps) {
  const id = view.kind === 'terminal' ? view.terminal : '';
  const screen = useMemo(() => screenOf(tab, id, join(ansi.ansi, styles.xterm)), [tab, id]);
  const host = useRef<HTMLElement>(null);
  const known = useTerminal(id);
  const name = known?.name ?? 'Terminal';
  const [finding, setFinding] = useState(0);
  const [menu, setMenu] = useState<Opener | null>(null);
  useArrival(tab, () => screen.terminal.textarea ?? null);
  useScreenIn(host, screen);
  const find = useCallback(() => setFinding((asked) => asked + 1), []);
  useKeys(screen, find);
  useName(screen, name);
  useEffect(() => {
    if (focused) usedTerminal(id);
  }, [focused, id]);

  const closeMenu = (back: boolean) => {
    setMenu(null);
    if (back) screen.terminal.focus();
  };
  return (
    <div className={styles.view}>
      <TerminalBar screen={screen} name={name} onFind={find} onMenu={setMenu} />
      {finding > 0 && <FindInTerminal screen={screen} asked={finding} onClose={() => setFinding(0)} />}
      <section
        ref={host}
        className={styles.host}
        aria-label={`Screen of ${name}`}
        onContextMenu={(event) => contextMenu(event, setMenu)}
      />
      <LinkTarget screen={screen} />
      <Ending screen={screen} name={name} tab={tab} />
      {menu && <List label={`Actions for ${name}`} items={menuItems(screen, find)} opener={menu} onClose={closeMenu} />}
      <AskPaste screen={screen} />
    </div>
  );
}

/** Opens the menu at the pointer; with Shift it is the browser's own. Where it comes with the press, the release would close it. */
function contextMenu(event: MouseEvent, open: (at: Opener) => void): void {
  if (event.shiftKey) return;
  event.preventDefault();
  const { clientX: left, clientY: top, buttons } = event;
  const show = () => open({ getBoundingClientRect: () => ({ left, top, bottom: top }) });
  if (buttons === 0) show();
  else window.addEventListener('pointerup', () => setTimeout(show), { once: true, capture: true });
}

/** Draws the screen in the pane, and takes its size. */
function useScreenIn(host: { readonly current: HTMLElement | null }, screen: Screen): void {
  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    screen.attach(element);
    const sizes = new ResizeObserver(() => screen.refit());
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [host, screen]);
}

/** Keys that are not the program's, and pastes. */
function useKeys(screen: Screen, find: () => void): void {
  useEffect(() => {
    screen.terminal.attachCustomKeyEventHandler((event) => {
      if (event.key === 'Tab' && useTerminalPreferences.getState().tabMoves) return false;
      const key = terminalKey(event);
      if (key === null) return true;
      if (event.type === 'keydown' && doKey(screen, key, find)) event.preventDefault();
      return false;
    });
    const onPaste = (event: ClipboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      pasteInto(screen, event.clipboardData?.getData('text/plain') ?? '');
    };
    screen.element.addEventListener('paste', onPaste, { capture: true });
    return () => screen.element.removeEventListener('paste', onPaste, { capture: true });
  }, [screen, find]);
}

/** Does what a key does here; the browser itself pastes, and the page does the rest. */
function doKey(screen: Screen, key: NonNullable<ReturnType<typeof terminalKey>>, find: () => void): boolean {
  switch (key) {
    case 'copy':
      void copySelection(screen);
      return true;
    case 'find':
      find();
      return true;
    case 'clear':
      screen.terminal.clear();
      return true;
    case 'tab_moves': {
      const tabMoves = !useTerminalPreferences.getState().tabMoves;
      choosePreference({ tabMoves });
      announce(tabMoves ? 'Tab moves to the next control' : 'Tab goes to the program');
      return true;
    }
    case 'screen_reader': {
      const screenReader = !useTerminalPreferences.getState().screenReader;
      choosePreference({ screenReader });
      announce(screenReader ? 'Screen reader mode on' : 'Screen reader mode off');
      return true;
    }
    default:
      return false;
  }
}

function useName(screen: Screen, name: string): void {
  useEffect(() => {
    const field = screen.terminal.textarea;
    const keys = `${keyLabel('Ctrl-Shift-m')} lets Tab move on, ${keyLabel('Alt-Shift-F1')} is for screen readers`;
    field?.setAttribute('aria-label', `Terminal ${name}. ${keys}.`);
  }, [screen, name]);
}

function Ending({ screen, name, tab }: { screen: Screen; name: string; tab: string }) {
  const { exit, gone } = screen.state();
  if (!exit && gone === null) return null;
  return (
    <div className={styles.ending} role="status">
      <span>{gone ?? endWords(name, exit as TerminalExit)}</span>
      <Button look="primary" icon="plus" onClick={() => void openTerminal().then(() => closeEnded(screen, tab))}>
        New terminal
      </Button>
      <Button onClick={() => closeEnded(screen, tab)}>Close</Button>
    </div>
  );
}

function closeEnded(screen: Screen, tab: string): void {
  const { gone } = screen.state.getState();
  closeTab(tab);
  // One that the server still lists is forgotten there, too.
  if (gone === null) void doAction({ action_type: 'terminal.close', args: { terminal: screen.id } });
}

function endWords(name: string, { status, signal }: TerminalExit): string {
  if (signal) return `${name} was ended by ${signal}.`;
  if (status === undefined || status === 0) return `${name} has ended.`;
  return `${name} has ended with status ${status}.`;
}
