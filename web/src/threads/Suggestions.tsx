import { useEffect, useRef } from 'react';
import { Plain } from '../actions/Plain';
import styles from './Suggestions.module.css';
import type { Completion } from './useCompletion';

/** The id of one suggestion, for the field that it belongs to. */
export function suggestionId(list: string, index: number): string {
  return `${list}-${index}`;
}

/** What the word under the cursor could become, over the composer. The field keeps the keyboard. */
export function Suggestions({ id, completion }: { id: string; completion: Completion }) {
  const { offered, at, choose } = completion;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  if (offered.length === 0) return null;
  return (
    <div ref={list} id={id} role="listbox" aria-label="Suggestions" className={styles.list}>
      {offered.map((candidate, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard
        // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, see aria-activedescendant
        <div
          key={candidate.key}
          id={suggestionId(id, index)}
          role="option"
          aria-selected={index === at}
          className={styles.option}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(candidate)}
        >
          <span className={styles.label}>
            <Plain text={candidate.label} />
          </span>
          <span className={styles.detail}>
            <Plain text={candidate.detail} />
          </span>
        </div>
      ))}
    </div>
  );
}
