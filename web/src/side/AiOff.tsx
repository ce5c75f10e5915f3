import { useAssistantState } from '../assistant/level';
import { becauseOf } from '../assistant/words';
import { openView } from '../frames/store';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';

interface AiOffProps {
  onChat(): void;
  /** Shows what was said before; nothing new can be asked there. */
  onRead(): void;
}

/** Stands in the place of the assistant while AI is off. */
export function AiOff({ onChat, onRead }: AiOffProps) {
  const state = useAssistantState();
  return (
    <Notice icon="warning" title="AI is off here">
      <p>{state && becauseOf(state)} Everything else works without it.</p>
      <Button look="primary" icon="chat" onClick={onChat}>
        Switch to Chat
      </Button>
      <Button onClick={onRead}>View past threads</Button>
      <Button look="quiet" onClick={() => openView({ kind: 'policy' })}>
        View permissions
      </Button>
    </Notice>
  );
}
