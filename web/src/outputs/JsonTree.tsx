import { type ReactNode, useState } from 'react';
import { Button } from '../ui/Button';
import styles from './Outputs.module.css';
import { Printed } from './Printed';

/** JSON as a tree whose parts open; long lists show in pieces. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div className={styles.json}>
      <Node name={null} value={value} open />
    </div>
  );
}

const PIECE = 100;

function Node({ name, value, open }: { name: string | null; value: unknown; open?: boolean }): ReactNode {
  const [shown, setShown] = useState(PIECE);
  const [opened, setOpened] = useState(open ?? false);
  const label = name !== null && <span className={styles.key}>{name}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div className={styles.leaf}>
        {label}
        <span data-type={value === null ? 'null' : typeof value}>
          <Printed text={JSON.stringify(value) ?? 'undefined'} />
        </span>
      </div>
    );
  }
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        {label}
        <span className={styles.size}>{size}</span>
      </summary>
      {opened && entries.slice(0, shown).map(([key, each]) => <Node key={key} name={key} value={each} />)}
      {opened && entries.length > shown && (
        <Button look="quiet" onClick={() => setShown(shown + PIECE * 10)}>
          {entries.length - shown} more
        </Button>
      )}
    </details>
  );
}
