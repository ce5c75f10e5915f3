import styles from '../side/Side.module.css';

/** How much of what others said has not been read: more than 99 is said as that. Nothing if all was. */
export function Badge({ unread, mentions }: { unread: number; mentions: number }) {
  if (unread === 0) return null;
  return (
    <span className={styles.badge} data-mentioned={mentions > 0}>
      <span aria-hidden="true">{mentions > 0 ? `@${shown(unread)}` : shown(unread)}</span>
      <span className="visually-hidden">
        {` ${shown(unread)} unread`}
        {mentions > 0 && `, ${shown(mentions)} ${mentions === 1 ? 'mentions' : 'mention'} you`}
      </span>
    </span>
  );
}

function shown(count: number): string {
  return count > 99 ? '99+' : String(count);
}
