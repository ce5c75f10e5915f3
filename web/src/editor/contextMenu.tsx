/** The menu of a place in a text. */
import type { EditorView } from '@codemirror/view';
import { createRoot } from 'react-dom/client';
import { keyLabel } from '../app/keymap';
import { useHelpLevel } from '../assistant/level';
import { kindOf } from '../files/kind';
import { MODE_KEYS } from '../livePreview/commands';
import { modeOf, toggleMode } from '../livePreview/mode';
import { help } from '../problems/help';
import { problemsOf } from '../problems/store';
import { announce } from '../ui/Announcer';
import { List, type MenuItem, type Opener } from '../ui/Menu';
import type { LineRange, Problem } from '../wire/gen/types';
import { formatFile, threadsOfLines } from './commands';
import { focusIn } from './looking';

/** Shows it beside a place; where it was opened gets the focus back. */
export async function openContextMenu(view: EditorView, path: string, opener: Opener): Promise<void> {
  const { cursor = 1, selection } = focusIn(view, path);
  const lines = selection ?? { start: cursor, end: cursor };
  const problem = (await problemsOf(path).catch(() => [])).find((one) => isIn(one, lines));
  // Beside the editor, so that it is part of the same region.
  const place = (view.dom.parentElement ?? document.body).appendChild(document.createElement('div'));
  const root = createRoot(place);
  const close = (back: boolean) => {
    // Its own button still has the click.
    queueMicrotask(() => {
      root.unmount();
      place.remove();
    });
    if (back) view.focus();
  };
  root.render(<ContextMenu view={view} path={path} problem={problem} opener={opener} onClose={close} />);
}

interface ContextMenuProps {
  view: EditorView;
  path: string;
  problem: Problem | undefined;
  opener: Opener;
  onClose(back: boolean): void;
}

function ContextMenu({ view, path, problem, opener, onClose }: ContextMenuProps) {
  const level = useHelpLevel();
  const ask = (hint: boolean) => problem && void help({ problem }, hint);
  const has = !view.state.selection.main.empty;
  const items: MenuItem[] = [
    { label: 'Threads that changed these lines', run: () => void threadsOfLines(path) },
    ...(problem && level === 'full' ? [{ label: 'Help me fix', run: () => ask(false) }] : []),
    ...(problem && level !== 'off' ? [{ label: 'Get a hint', run: () => ask(true) }] : []),
    { label: 'Format document', key: 'Shift-Alt-f', run: () => void formatFile(path) },
    ...(kindOf(path) === 'markdown' ? views(path) : []),
    { label: 'Cut', key: 'Mod-x', disabled: !has, run: () => clip(view, 'cut') },
    { label: 'Copy', key: 'Mod-c', disabled: !has, run: () => clip(view, 'copy') },
    { label: 'Paste', key: 'Mod-v', run: () => void paste(view) },
  ];
  return <List label={`Lines of ${path}`} items={items} opener={opener} onClose={onClose} />;
}

/** The other views of a Markdown file. */
function views(path: string): MenuItem[] {
  const isSource = modeOf(path) === 'source';
  return [
    { label: isSource ? 'Live preview' : 'Source', key: MODE_KEYS.source, run: () => toggleMode(path, 'source') },
    { label: 'Reading view', key: MODE_KEYS.reading, run: () => toggleMode(path, 'reading') },
  ];
}

function isIn({ line, end_line, severity }: Problem, { start, end }: LineRange): boolean {
  if (line === null || (severity !== 'error' && severity !== 'warning')) return false;
  return line <= end && (end_line ?? line) >= start;
}

function clip(view: EditorView, what: 'cut' | 'copy'): void {
  view.focus();
  document.execCommand(what);
}

/** Not every browser lets a page read what was copied. */
async function paste(view: EditorView): Promise<void> {
  view.focus();
  try {
    const text = await navigator.clipboard.readText();
    view.dispatch(view.state.replaceSelection(text), { userEvent: 'input.paste', scrollIntoView: true });
  } catch {
    announce(`The browser blocked pasting from the menu. Press ${keyLabel('Mod-v')} instead.`, 'assertive');
  }
}
