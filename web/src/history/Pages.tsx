import { useState } from 'react';
import { Button } from '../ui/Button';
import { useResource } from '../wire/resource';
import styles from './History.module.css';

const BUTTONS: readonly [string, string] = ['Previous', 'Next'];

/**
 * Reads a long list page by page: the page, how many come before it, and the buttons that lead to others. `path` lacks only
 * where the page begins; another path begins at its first page, and null reads nothing yet.
 */
export function usePages<Answer extends { more: boolean }>(path: string | null, size: number, [back, on] = BUTTONS) {
  const [at, setAt] = useState({ path, from: 0 });
  const from = at.path === path ? at.from : 0;
  const go = (by: number) => setAt({ path, from: from + by });
  const read = useResource<Answer>(path && `${path}${path.includes('?') ? '&' : '?'}from=${from}`);
  const buttons = read.data && (from > 0 || read.data.more) && (
    <p className={styles.pages}>
      <Button disabled={from === 0} onClick={() => go(-size)}>
        {back}
      </Button>
      <Button disabled={!read.data.more} onClick={() => go(size)}>
        {on}
      </Button>
    </p>
  );
  return { ...read, from, buttons };
}
