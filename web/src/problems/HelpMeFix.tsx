import { useAiLevel } from '../assistant/level';
import { useModels } from '../models/store';
import { Button } from '../ui/Button';
import { askAbout } from './help';
import { plainText, type Trouble } from './seed';

/**
 * “Help me fix” and “Get a hint” for one problem. Both begin a thread with the problem; as far as AI is restricted only
 * the hint is there, or neither. Without a model the same text can be copied.
 */
export function HelpMeFix(trouble: Trouble) {
  const level = useAiLevel();
  const { data: models } = useModels();
  if (level === 'off') return null;
  const ask = (hint: boolean) => {
    if (models && !models.chosen) void import('./Plainly').then((it) => it.showPlainly(plainText(trouble, hint)));
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
    </>
  );
}
