import { Icon } from '../ui/Icon';
import type { LeftOut as LeftOutOf } from '../wire/gen/types';
import styles from './Turn.module.css';
import { leftOutWords } from './words';

/** Says what the model was not given of the conversation, where it was not. */
export function LeftOut({ of }: { of: LeftOutOf }) {
  const words = leftOutWords(of);
  return words === null ? null : (
    <p className={styles.leftOut}>
      <Icon name="bar" size={14} />
      <span>{words}</span>
    </p>
  );
}
