// Links in a terminal: files of the workspace open in a tab, pages of the web in another window. Both want Ctrl held, so that
// a click to select follows nothing.
import type { IBufferLine, ILink, ILinkProvider, Terminal } from '@xterm/xterm';
import { isMac } from '../app/keymap';
import { useSession } from '../app/session';
import { toast } from '../ui/Toast';
import type { FileNames } from '../wire/gen/types';
import { known } from '../wire/resource';
import { knownTerminal } from './known';
import { FilesByName, placesIn } from './links';
import { openFromTerminal } from './open';

/** Gives the links to files in the lines of a terminal. */
export function fileLinks(terminal: Terminal, id: string): ILinkProvider {
  return {
    provideLinks: (row, found) => {
      void linksIn(terminal, id, row).then(
        (links) => found(links.length > 0 ? links : undefined),
        () => found(undefined),
      );
    },
  };
}

async function linksIn(terminal: Terminal, id: string, row: number): Promise<ILink[]> {
  const { text, cells, first } = lineAt(terminal, row);
  if (text.trim() === '') return [];
  const files = await filesNow();
  const cwd = knownTerminal(id)?.cwd ?? '';
  const places = placesIn(text, (path) => files.find(path, cwd, workspaceName()));
  const columns = terminal.cols;
  const at = (index: number) => ({ x: (cells[index] ?? 0) % columns, y: Math.floor((cells[index] ?? 0) / columns) });
  return places.map(({ start, end, path, line }) => {
    const [from, to] = [at(start), at(end - 1)];
    return {
      text: text.slice(start, end),
      range: { start: { x: from.x + 1, y: first + from.y }, end: { x: to.x + 1, y: first + to.y } },
      decorations: { pointerCursor: true, underline: true },
      activate: (event) => {
        if (isFollowed(event)) openFromTerminal(path, line);
      },
    };
  });
}

/** A line with those that it was broken into: its text, and the cell of each of its characters. */
function lineAt(terminal: Terminal, row: number): { text: string; cells: number[]; first: number } {
  const { active } = terminal.buffer;
  let first = row;
  while (first > 1 && active.getLine(first - 1)?.isWrapped) first--;
  const cells: number[] = [];
  let text = '';
  for (let at = first; at < first + 50; at++) {
    const line = active.getLine(at - 1);
    if (!line || (at > first && !line.isWrapped)) break;
    text += textOf(line, (at - first) * terminal.cols, cells);
  }
  return { text, cells, first };
}

function textOf(line: IBufferLine, before: number, cells: number[]): string {
  let text = '';
  for (let x = 0; x < line.length; x++) {
    const cell = line.getCell(x);
    if (!cell || cell.getWidth() === 0) continue;
    const characters = cell.getChars() || ' ';
    for (let unit = 0; unit < characters.length; unit++) cells.push(before + x);
    text += characters;
  }
  return text;
}

let files: { paths: readonly string[]; byName: FilesByName } | null = null;

async function filesNow(): Promise<FilesByName> {
  const paths = (await known<FileNames>('files/names'))?.paths ?? [];
  if (files?.paths !== paths) files = { paths, byName: new FilesByName(paths) };
  return files.byName;
}

function workspaceName(): string {
  const { state } = useSession.getState();
  return state.phase === 'open' ? state.session.workspace : '';
}

/** Follows a link that a program wrote, or that looks like one. */
export function openLink(event: MouseEvent, target: string): void {
  if (!isFollowed(event)) return;
  const url = URL.parse(target);
  if (url?.protocol === 'file:') return void openFileAt(decodeURIComponent(url.pathname));
  if (!url || !/^https?:$/.test(url.protocol)) {
    toast(`Aside opens only web pages and files of this workspace: ${target.slice(0, 200)}`);
    return;
  }
  window.open(url.href, '_blank', 'noopener,noreferrer');
}

async function openFileAt(path: string): Promise<void> {
  const found = (await filesNow()).find(path, '', workspaceName());
  if (found) openFromTerminal(found, null);
  else toast(`${path.slice(0, 200)} is not in this workspace.`);
}

const isFollowed = (event: MouseEvent): boolean => (isMac ? event.metaKey : event.ctrlKey);
