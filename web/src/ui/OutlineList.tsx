import styles from './OutlineList.module.css';

/** A heading to go to. */
export interface OutlineEntry {
  readonly key: string;
  readonly level: number;
  readonly text: string;
  readonly isCurrent: boolean;
  go(): void;
}

/** Headings by their levels, as a way to them. */
export function OutlineList({
  label,
  entries,
  empty,
}: {
  label: string;
  entries: readonly OutlineEntry[];
  empty: string;
}) {
  const least = Math.min(6, ...entries.map(({ level }) => level));
  return (
    <nav className={styles.outline} aria-label={label}>
      {entries.length === 0 && <p>{empty}</p>}
      <ul>
        {entries.map(({ key, level, text, isCurrent, go }) => (
          <li key={key} style={{ paddingInlineStart: `${(level - least) * 0.75}rem` }}>
            <button type="button" aria-current={isCurrent || undefined} onClick={go}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
