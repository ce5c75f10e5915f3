import styles from '../actions/ActionCard.module.css';
import { Button } from '../ui/Button';
import type { ActionName, Descriptor } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { choose } from './choose';
import { NOT_OFFERED } from './entries';

/**
 * Lets the person begin an action that only they can ask for, after a model has asked for it. Nothing of the model's request
 * goes along: its arguments may come from a file that is not trusted.
 */
export default function PersonOnly({ action }: { action: ActionName }) {
  const { data } = useResource<Descriptor[]>('catalog');
  const descriptor = NOT_OFFERED.test(action) ? undefined : data?.find(({ name }) => name === action);
  if (!descriptor) return null;
  return (
    <div className={styles.buttons}>
      <Button onClick={() => choose({ kind: 'action', descriptor })}>Do it yourself: {descriptor.summary}</Button>
    </div>
  );
}
