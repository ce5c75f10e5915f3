import styles from '../actions/previews/Diff.module.css';
import { useSettled } from '../actions/useSettled';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { answerParts, type PartAnswer, planAnswerTo, usePlans } from './plans';

interface PartAnswersProps {
  about: PartAnswer;
  /** A yes is kept for it. */
  accepted: boolean;
}

/** The answers to one change of a plan that waits; a yes that is kept can be taken back. */
export function PartAnswers({ about, accepted }: PartAnswersProps) {
  const { task, step, keys } = about;
  const answering = usePlans((state) => planAnswerTo(state, task, step, keys[0] ?? '') !== null);
  const settled = useSettled(keys[0] ?? null);
  return (
    <span className={styles.answers}>
      {accepted ? (
        <span className={styles.accepted}>
          <Icon name="check" /> Accepted
        </span>
      ) : (
        <Button look="quiet" disabled={answering || !settled} onClick={() => void answerParts(about, 'approve')}>
          Accept
        </Button>
      )}
      <Button look="quiet" disabled={answering || !settled} onClick={() => void answerParts(about, 'reject')}>
        Reject
      </Button>
    </span>
  );
}
