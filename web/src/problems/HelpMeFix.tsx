import { useState } from 'react';
import { useAiLevel } from '../assistant/level';
import { useModels } from '../models/store';
import { Button } from '../ui/Button';
import { CopyButton } from '../ui/CopyText';
import { Dialog } from '../ui/Dialog';
import { TextBlock } from '../ui/TextBlock';
import { askAbout } from './help';
import { plainText, type Trouble } from './seed';

/**
 * “Help me fix” and “Get a hint” for one problem. Both begin a thread with the problem; as far as AI is restricted only
 * the hint is there, or neither. Without a model the same text can be copied.
 */
export function HelpMeFix(trouble: Trouble) {
  const level = useAiLevel();
  const { data: models } = useModels();
  const [shown, setShown] = useState<'fix' | 'hint' | null>(null);
  if (level === 'off') return null;
  const ask = (hint: boolean) => {
    if (models && !models.chosen) setShown(hint ? 'hint' : 'fix');
    else void askAbout(trouble, hint);
  };
  return (
    <>
      {level === 'full' && (
        <Button look="quiet" onClick={() => ask(false)}>
          Help me fix
        </Button>
      )}
      <Button look="quiet" onClick={() => ask(true)}>
        Get a hint
      </Button>
      {shown && <Plainly text={plainText(trouble, shown === 'hint')} onClose={() => setShown(null)} />}
    </>
  );
}

function Plainly({ text, onClose }: { text: string; onClose(): void }) {
  return (
    <Dialog title="No model is connected" onClose={onClose} footer={<CopyButton text={text} what="the question" />}>
      <p>This is what would be asked. Copy it to whoever can help.</p>
      <TextBlock>{text}</TextBlock>
    </Dialog>
  );
}
