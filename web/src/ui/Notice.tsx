import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon';
import styles from './Notice.module.css';

/** Says in the middle of a region why there is nothing else to see, and what to do. */
export function Notice({ icon, title, children }: { icon?: IconName; title: string; children?: ReactNode }) {
  return (
    <div className={styles.notice}>
      {icon && <Icon name={icon} size={28} />}
      <h2>{title}</h2>
      {children}
    </div>
  );
}
