/** The entries of the explorer's menu for a row, or for the space below the rows. Pure but for what an entry runs. */
import { isGuest } from '../app/session';
import { openComparison, selectForCompare, useSelectedForCompare } from '../compare/open';
import { openBeside, openFile } from '../frames/store';
import { announce } from '../ui/Announcer';
import type { MenuItem } from '../ui/Menu';
import { download } from './bytes';
import { duplicate, remove, startMove, startNew, startRename } from './editing';
import { folderOf, type Row } from './rows';
import { collapseAll, expandFolder } from './store';
import { chooseFiles } from './uploads';
import { showVersions } from './versions';

/** Returns the entries of the menu; `row` is null below the rows. */
export function menuOf(row: Row | null): MenuItem[] {
  if (!row || row.hidden) return [...(isGuest() ? [] : creating('')), { label: 'Collapse all', run: collapseAll }];
  return [...opening(row), ...(isGuest() ? [] : changing(row))];
}

function opening(row: Row): MenuItem[] {
  const copyPath = { label: 'Copy path', run: () => void copy(row.path) };
  if (row.folder) {
    const label = row.expanded ? 'Collapse' : 'Expand';
    return [{ label, run: () => expandFolder(row.path, !row.expanded), key: 'Enter' }, copyPath];
  }
  return [
    { label: 'Open', run: () => openFile(row.path), key: 'Enter' },
    { label: 'Open to the side', run: () => openBeside({ kind: 'file', path: row.path }) },
    copyPath,
    ...(isGuest() ? [] : comparing(row.path)),
  ];
}

/** Comparing a file with another one: the first is chosen, then the second. */
function comparing(path: string): MenuItem[] {
  const { path: selected } = useSelectedForCompare.getState();
  const select = { label: 'Select for compare', run: () => selectForCompare(path) };
  if (selected === null || selected === path) return [select];
  return [{ label: 'Compare with selected', run: () => openComparison({ path: selected }, { path }) }, select];
}

function changing(row: Row): MenuItem[] {
  const folder = row.folder ? row.path : folderOf(row.path);
  const ofFile: MenuItem[] = [
    { label: 'Duplicate', run: () => void duplicate(row.path) },
    { label: 'Download', run: () => download(row.path) },
    { label: 'Versions…', run: () => showVersions(row.path) },
  ];
  return [
    ...(row.folder ? creating(folder) : ofFile),
    { label: 'Rename…', run: () => startRename(row.path), key: 'F2' },
    { label: 'Move…', run: () => startMove(row.path) },
    { label: 'Delete', run: () => void remove(row), key: 'Delete' },
  ];
}

function creating(folder: string): MenuItem[] {
  return [
    { label: 'New file…', run: () => startNew('file', folder) },
    { label: 'New folder…', run: () => startNew('folder', folder) },
    { label: 'Upload files…', run: () => chooseFiles(folder) },
  ];
}

async function copy(path: string): Promise<void> {
  await navigator.clipboard.writeText(path);
  announce('Path copied');
}
