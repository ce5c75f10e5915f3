import { TextBlock } from '../ui/TextBlock';
import { Plain } from './Plain';
import styles from './Raw.module.css';

/** Something as the server has it, closed until it is asked for. */
export function Raw({ name, value }: { name: string; value: unknown }) {
  return (
    <details className={styles.raw}>
      <summary>{name}</summary>
      <TextBlock>
        <Plain text={JSON.stringify(value, null, 1)} />
      </TextBlock>
    </details>
  );
}
