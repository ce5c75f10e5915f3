import { openView } from '../frames/store';
import { Button } from '../ui/Button';
import foot from '../ui/Foot.module.css';
import { Icon } from '../ui/Icon';
import { useAiLevel, useAssistantState } from './level';
import styles from './Restricted.module.css';
import { becauseOf } from './words';

/** Stands where a message would be written while no model may be asked: why, and until when. */
export function AiOff() {
  return (
    useAiLevel() === 'off' && (
      <Closed title="AI is off here" left="You can still read earlier threads and use everything else." />
    )
  );
}

/** Stands where a question about the AI history would be written while AI is restricted: no hint needs the history. */
export function NoHistoryAnswers() {
  const level = useAiLevel();
  if (level === undefined || level === 'full') return null;
  return (
    <Closed
      title="AI answers about the history are off"
      left="You can still read the AI history and earlier answers."
    />
  );
}

/** What is not there, who says so and until when, and what is left. */
function Closed({ title, left }: { title: string; left: string }) {
  const state = useAssistantState();
  return (
    <div className={`${foot.foot} ${styles.restricted}`} role="status">
      <Icon name="stop" />
      <div>
        <b>{title}</b>
        <p>
          {state && becauseOf(state)} {left}
        </p>
        <Button look="quiet" onClick={() => openView({ kind: 'policy' })}>
          View AI restrictions
        </Button>
      </div>
    </div>
  );
}

/** Says above the composer that no more than explanations and hints come. */
export function AiPartial() {
  const state = useAssistantState();
  if (state?.level !== 'partial') return null;
  return (
    <div className={`${foot.foot} ${styles.restricted}`} role="status">
      <Icon name="hand" />
      <span>{becauseOf(state)}</span>
    </div>
  );
}
