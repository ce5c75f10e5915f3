import { createRoot } from 'react-dom/client';
import { CopyButton } from '../ui/CopyText';
import { Dialog } from '../ui/Dialog';
import { TextBlock } from '../ui/TextBlock';

/** Shows what would be asked, in a place of its own: the mark it was asked from may be gone by then. */
export function showPlainly(text: string): void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const close = () => {
    root.unmount();
    place.remove();
  };
  root.render(<Plainly text={text} onClose={close} />);
}

function Plainly({ text, onClose }: { text: string; onClose(): void }) {
  return (
    <Dialog title="No model is connected" onClose={onClose} footer={<CopyButton text={text} what="the question" />}>
      <p>This is what would be asked. Copy it to whoever can help.</p>
      <TextBlock>{text}</TextBlock>
    </Dialog>
  );
}
