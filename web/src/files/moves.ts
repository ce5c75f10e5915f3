/** Drags in the explorer: a row to another folder, files of the computer into one. */
import type { DragEvent } from 'react';
import { isGuest } from '../app/session';
import { bytesUrl } from './bytes';
import { moveTo } from './editing';
import { folderOf, isHiddenRow, type Row } from './rows';
import { uploadAll } from './uploads';

/** The type of a dragged row. Other programs get the path as plain text. */
const ROW = 'application/x-aside-path';

/** A file as browsers save it where it is dropped outside of their window: its type, name and address. */
function downloadOf({ name, path }: Row): string {
  return `application/octet-stream:${name.replaceAll(':', '_')}:${new URL(bytesUrl(path), location.href).href}`;
}

/** Takes a row along with the pointer; a file that leaves the window is downloaded. */
export function startDrag(event: DragEvent, row: Row): void {
  if (row.hidden) return event.preventDefault();
  event.dataTransfer.setData(ROW, row.path);
  event.dataTransfer.setData('text/plain', row.path);
  if (!row.folder && !isGuest()) event.dataTransfer.setData('DownloadURL', downloadOf(row));
  event.dataTransfer.effectAllowed = 'copyMove';
}

/** The folder that a drop on a row goes to; null is not possible. */
export function dropFolder(row: Row | null): string | null {
  if (!row) return '';
  if (isHiddenRow(row.path)) return null;
  return row.folder ? row.path : folderOf(row.path);
}

/** Tells whether a drag can be dropped here, and says so to the browser. */
export function allowDrop(event: DragEvent, folder: string | null): boolean {
  const { types } = event.dataTransfer;
  if (folder === null || !(types.includes(ROW) || types.includes('Files'))) return false;
  event.preventDefault();
  event.dataTransfer.dropEffect = types.includes(ROW) ? 'move' : 'copy';
  return true;
}

/** Moves the dragged row, or uploads the dragged files. */
export function drop(event: DragEvent, folder: string | null): void {
  if (folder === null) return;
  event.preventDefault();
  const path = event.dataTransfer.getData(ROW);
  if (path) void moveTo(path, folder);
  else void uploadAll([...event.dataTransfer.files], folder);
}
