import { useEffect } from 'react';
import { Words } from '../actions/Words';
import { useThreads } from '../threads/state';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { ThreadId } from '../wire/gen/types';
import { invalidate } from '../wire/resource';
import { warningOf } from './found';
import styles from './ModelWarning.module.css';
import { openModels } from './openModels';
import { pickModel } from './picking';
import { useModelOf, useModels } from './store';

/** Says before a message is sent what the model can't do. */
export function ModelWarning({ thread }: { thread: ThreadId | null }) {
  const { data } = useModels();
  const chosen = useModelOf(thread);
  const notices = useNotices(thread);
  // A model that refused its tools is known for it from then on.
  useEffect(() => {
    if (notices > 0) invalidate('models');
  }, [notices]);
  if (!data || chosen === undefined) return null;
  // A thread that has not begun has the whole guide.
  if (chosen === null && thread === null) return null;
  if (chosen === null) return <Line text="No model connected. Only the assistant needs one." />;
  const warning = warningOf(data, chosen);
  return warning === null ? null : <Line text={warning} />;
}

/** How many notices the last turn has. */
function useNotices(thread: ThreadId | null): number {
  return useThreads(({ views }) => {
    const steps = (thread && views.get(thread)?.turns.at(-1)?.steps) || [];
    return steps.reduce((sum, { notices }) => sum + notices.length, 0);
  });
}

function Line({ text }: { text: string }) {
  return (
    <div className={styles.warning}>
      <Icon name="warning" />
      <span>
        <Words text={text} />
      </span>
      <Button look="quiet" onClick={() => pickModel()}>
        Change model
      </Button>
      <Button look="quiet" onClick={openModels}>
        Models
      </Button>
    </div>
  );
}
