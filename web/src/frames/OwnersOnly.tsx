import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { kindOf, type PaneProps } from './panes';
import { change } from './store';

/** In place of a page that is not for guests. */
export default function OwnersOnly({ view, tab }: PaneProps) {
  return (
    <Notice icon="key" title={`${kindOf(view).title(view)} is for the owner`}>
      <p>You are a guest here: you edit the files of this folder and talk beside them.</p>
      <Button onClick={() => change({ type: 'close', tab })}>Close this tab</Button>
    </Notice>
  );
}
