import { openView } from '../frames/store';
import { Button } from '../ui/Button';
import foot from '../ui/Foot.module.css';
import { Icon } from '../ui/Icon';
import { useAssistantState } from './level';
import styles from './Restricted.module.css';
import { becauseOf } from './words';

/** Stands where a message would be written while no model may be asked: why, and until when. */
export function AiOff() {
  const state = useAssistantState();
  if (state?.level !== 'off') return null;
  return (
    <div className={`${foot.foot} ${styles.restricted}`} role="status">
      <Icon name="stop" />
      <div>
        <b>AI is off here</b>
        <p>{becauseOf(state)} Everything else works, and earlier threads can be read.</p>
        <Button look="quiet" onClick={() => openView({ kind: 'policy' })}>
          Who says so
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
