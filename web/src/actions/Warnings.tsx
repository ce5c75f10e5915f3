import { Icon } from '../ui/Icon';
import type { Preview } from '../wire/gen/types';
import { Plain } from './Plain';
import styles from './Warnings.module.css';

/** What the guards saw in a preview, a line each. */
export function Warnings({ preview }: { preview: Preview | null }) {
  return preview?.warnings.map((warning) => (
    <p key={warning.guard} className={styles.warning}>
      <Icon name="warning" />
      <span>
        <Plain text={warning.text} />
      </span>
    </p>
  ));
}
