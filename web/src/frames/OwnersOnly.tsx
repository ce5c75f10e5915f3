import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { kindOf, type PaneProps } from './panes';
import { change } from './store';

/** In place of a page that is not for guests. */
export default function OwnersOnly({ view, tab }: PaneProps) {
  return (
    <Notice icon="key" title={`Only the owner can open “${kindOf(view).title(view)}”`}>
      <p>As a guest, you can edit the files in this folder and use the chat.</p>
      <Button onClick={() => change({ type: 'close', tab })}>Close tab</Button>
    </Notice>
  );
}
