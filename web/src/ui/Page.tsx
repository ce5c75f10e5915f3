import type { ReactNode, Ref } from 'react';
import { join } from './names';
import styles from './Page.module.css';

interface PageProps {
  title: ReactNode;
  /** What stands beside the title: buttons, a state. */
  tools?: ReactNode;
  /** How wide a line may get: prose, cards, or rows of a table. */
  width?: 'prose' | 'cards' | 'rows';
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** What fills a pane that is no document: a heading, and below it whatever scrolls. */
export function Page({ title, tools, width = 'cards', ref, children }: PageProps) {
  return (
    <div ref={ref} className={join(styles.page, styles[width])} data-page>
      <header className={styles.header}>
        <h2 tabIndex={-1}>{title}</h2>
        {tools}
      </header>
      {children}
    </div>
  );
}
