import { create } from 'zustand';
import { toggleRegion } from '../app/shell';
import { openFile } from '../frames/store';
import { setSideMode } from '../side/modes';

/** The message to go to, and the document it stands beside; null once it is shown. */
export const useSoughtMessage = create<{ sought: { document: string; message: string } | null }>(() => ({
  sought: null,
}));

/** Shows a document with its chat beside it, at a message if one is named. */
export function openChat(path: string, message?: string): void {
  useSoughtMessage.setState({ sought: message === undefined ? null : { document: path, message } });
  openFile(path, { focus: false });
  setSideMode(path, 'chat');
  toggleRegion('side', true);
}
