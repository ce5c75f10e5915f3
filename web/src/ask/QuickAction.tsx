import { ActionCard, Body } from '../actions/ActionCard';
import { isQuiet } from '../actions/card';
import { Plain } from '../actions/Plain';
import { useAction } from '../actions/store';
import { titleOf } from '../actions/title';
import { Icon } from '../ui/Icon';
import type { ActionId } from '../wire/gen/types';
import { OpenAsThread } from './OpenAsThread';
import styles from './QuickPanel.module.css';
import { seedOfAction } from './seed';

/** One action that ran at once: the answer of a read is open, everything else is its card. */
export function QuickAction({ id }: { id: ActionId }) {
  const record = useAction(id);
  if (!record) return null;
  return (
    <>
      {isQuiet(record) ? (
        <>
          <p className={styles.state} data-tone="ok">
            <Icon name="check" /> <Plain text={titleOf(record)} />
          </p>
          <Body record={record} />
        </>
      ) : (
        <ActionCard id={id} />
      )}
      <div className={styles.foot}>
        <OpenAsThread seed={() => seedOfAction(record)} />
      </div>
    </>
  );
}
