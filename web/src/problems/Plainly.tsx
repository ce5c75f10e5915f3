import { createRoot } from 'react-dom/client';
import { Button } from '../ui/Button';
import { CopyButton } from '../ui/CopyText';
import { Dialog } from '../ui/Dialog';
import { Problem } from '../ui/Note';
import { TextBlock } from '../ui/TextBlock';
import type { Failure } from '../wire/gen/types';

/** Why a question did not go out, and how it is asked once more. */
export interface Unasked {
  readonly failure: Failure;
  onAgain(): void;
}

/**
 * Shows what would be asked, in a place of its own: the mark it was asked from may be gone by then. It was not asked
 * because there is no model, or for the reason that is given.
 */
export function showPlainly(text: string, unasked?: Unasked): void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const close = () => {
    root.unmount();
    place.remove();
  };
  root.render(<Plainly text={text} unasked={unasked} onClose={close} />);
}

function Plainly({ text, unasked, onClose }: { text: string; unasked?: Unasked; onClose(): void }) {
  const again = () => {
    onClose();
    unasked?.onAgain();
  };
  return (
    <Dialog
      title={unasked ? 'Couldn’t send the question' : 'No model connected'}
      onClose={onClose}
      footer={
        <>
          {unasked && (
            <Button look="primary" icon="retry" onClick={again}>
              Retry
            </Button>
          )}
          <CopyButton text={text} what="the question" />
        </>
      }
    >
      {unasked && <Problem failure={unasked.failure} />}
      <p>Copy this question to ask someone else.</p>
      <TextBlock>{text}</TextBlock>
    </Dialog>
  );
}
