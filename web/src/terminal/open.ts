// Opening terminals, and going to and from them by one key.
import { doAction } from '../app/actionFlow';
import { change, focusedView, focusPane, newId, openBeside, openFile, openView, useFrames } from '../frames/store';
import { activeTab, focusedPane, type Pane, panesOf, type Side, tabShowing, type View } from '../frames/tree';
import type { OpenTerminal, Submitted } from '../wire/gen/types';
import { knownTerminal, learnTerminal } from './known';

/** Where a new terminal comes: below the document or among other terminals, or in a pane of its own beside another. */
type Place = 'usual' | { readonly pane: string; readonly side: Side };

/** Starts a shell in the folder, and shows it. */
export async function openTerminal(place: Place = 'usual', args: { cwd?: string; name?: string } = {}): Promise<void> {
  let opened: OpenTerminal | undefined;
  const ended = (submitted: Submitted) => {
    opened = terminalIn(submitted);
  };
  if (await doAction({ action_type: 'terminal.open', args }, { ended })) {
    if (!opened) return;
    learnTerminal(opened);
    show({ kind: 'terminal', terminal: opened.id }, place);
  }
}

/** Starts another shell beside a pane that shows a terminal, in the folder that that one began in. */
export function splitTerminal(terminal: string, pane: string, side: Side): void {
  const cwd = knownTerminal(terminal)?.cwd;
  void openTerminal({ pane, side }, cwd ? { cwd } : {});
}

/** Goes to the terminal that was used last, else opens one; from a terminal, back to where the keyboard was. */
export function toggleTerminal(): void {
  const { frames } = useFrames.getState();
  if (focusedView()?.kind === 'terminal') {
    const back = panesOf(frames.root).find((pane) => pane.id === before) ?? paneWithout(panesOf(frames.root));
    if (back) focusPane(back.id);
    return;
  }
  before = frames.focused;
  const found = lastTerminal();
  if (found) openView(found);
  else void openTerminal();
}

/** The share of a pane that a terminal below the document takes. */
const SHARE = 0.38;

/** Shows a file that a terminal names: where it is, else in a pane without a terminal. */
export function openFromTerminal(path: string, line: number | null): void {
  const { frames } = useFrames.getState();
  const options = line === null ? {} : { line };
  const free = paneWithout(panesOf(frames.root));
  if (tabShowing(frames, { kind: 'file', path })) openFile(path, options);
  else if (free) openFile(path, { ...options, pane: free.id });
  else openBeside({ kind: 'file', path }, options);
}

/** The pane that the keyboard was in before it came to a terminal. */
let before = '';
let last = '';

function paneWithout(panes: Pane[]): Pane | undefined {
  return panes.find((pane) => activeTab(pane)?.view.kind !== 'terminal');
}

/** Remembers the terminal that is used. */
export function usedTerminal(id: string): void {
  last = id;
}

function lastTerminal(): View | undefined {
  const views = panesOf(useFrames.getState().frames.root).flatMap((pane) => pane.tabs.map((tab) => tab.view));
  const terminals = views.filter((view) => view.kind === 'terminal');
  return terminals.find(({ terminal }) => terminal === last) ?? terminals[0];
}

function show(view: View, place: Place): void {
  const { frames } = useFrames.getState();
  const focused = focusedPane(frames);
  const others = panesOf(frames.root).find((pane) => pane.tabs.some((tab) => tab.view.kind === 'terminal'));
  const shown = activeTab(focused)?.view.kind;
  const isFree = shown === undefined || shown === 'launcher';
  if (place === 'usual' && (isFree || others)) return openView(view, { pane: isFree ? focused.id : others?.id });
  const tab = { id: newId('tab'), view };
  const [newPane, newSplit] = [newId('pane'), newId('split')];
  const { pane, side } = place === 'usual' ? ({ pane: focused.id, side: 'below' } as const) : place;
  change({ type: 'split', pane, side, newPane, newSplit, tab });
  // Where it made a split of its own, the document keeps the larger part.
  if (place === 'usual') change({ type: 'resize', split: newSplit, sizes: [1 - SHARE, SHARE] });
  openView(view);
}

function terminalIn({ outcome }: Submitted): OpenTerminal | undefined {
  const data = outcome?.kind === 'done' ? (outcome.observation.data as { terminal?: OpenTerminal } | null) : null;
  return data?.terminal;
}
