import { Words } from '../actions/Words';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { ThreadId } from '../wire/gen/types';
import { findModel } from './found';
import styles from './ModelWarning.module.css';
import { openModels } from './openModels';
import { useModelOf, useModels } from './store';

/** Says before a message is sent what the model can't do. */
export function ModelWarning({ thread }: { thread: ThreadId | null }) {
  const { data } = useModels();
  const chosen = useModelOf(thread);
  if (!data || chosen === undefined) return null;
  // A thread that has not begun has the whole guide.
  if (chosen === null && thread === null) return null;
  if (chosen === null) return <Line text="No model connected. Everything else works without one." />;
  const found = findModel(data, chosen);
  if (found?.provider.problem) return <Line text={found.provider.problem} />;
  if (found?.model.tools === false) {
    return <Line text="This model takes no tools: its answers may not be grounded in your files." />;
  }
  return null;
}

function Line({ text }: { text: string }) {
  return (
    <div className={styles.warning}>
      <Icon name="warning" />
      <span>
        <Words text={text} />
      </span>
      <Button look="quiet" onClick={openModels}>
        Models
      </Button>
    </div>
  );
}
