import { useHelpLevel } from '../assistant/level';
import { Button } from '../ui/Button';
import { help } from './help';
import type { Trouble } from './seed';

/**
 * “Help me fix” and “Get a hint” for one problem. Both begin a thread with the problem; as far as AI is restricted only
 * the hint is there, or neither; a guest has neither. Without a model the same text can be copied.
 */
export function HelpMeFix(trouble: Trouble) {
  const level = useHelpLevel();
  if (level === 'off') return null;
  const ask = (hint: boolean) => void help(trouble, hint);
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
