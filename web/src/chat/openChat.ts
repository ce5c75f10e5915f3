import { toggleRegion } from '../app/shell';
import { openFile } from '../frames/store';
import { setSideMode } from '../side/modes';

/** Shows a document with its chat beside it. */
export function openChat(path: string): void {
  openFile(path, { focus: false });
  setSideMode(path, 'chat');
  toggleRegion('side', true);
}
