import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { Models } from '../wire/gen/types';
import styles from './Models.module.css';
import { Provider } from './Provider';
import { lookAgain } from './store';

/** There is no model: what works anyway, and each way to get one. */
export function NoModel({ models }: { models: Models }) {
  return (
    <div className={styles.none}>
      <h3>
        <Icon name="model" size={20} /> No model connected
      </h3>
      <p>Files, search and built-in actions work without one.</p>
      <ul className={styles.providers}>
        {models.providers.map((provider) => (
          <li key={provider.id}>
            <Provider provider={provider} chosen={null} />
          </li>
        ))}
      </ul>
      <Button icon="retry" onClick={lookAgain}>
        Look again
      </Button>
    </div>
  );
}
