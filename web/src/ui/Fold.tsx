import type { ReactNode } from 'react';
import styles from './Fold.module.css';
import { Icon, type IconName } from './Icon';

/** The colour of a state; never its only sign. Whatever has it as `data-tone` has the colour as `--tone`. */
export type Tone = 'quiet' | 'warn' | 'accent' | 'ok' | 'err';

interface FoldProps {
  icon: IconName;
  title: ReactNode;
  /** The word of the state, in its tone. */
  state: string;
  open: boolean;
  onToggle(): void;
  /** Facts beside the state, each an element. */
  children?: ReactNode;
}

/** The line that stands for something that can be opened: its state as shape, word and colour, its title, its facts. */
export function Fold({ icon, title, state, open, onToggle, children }: FoldProps) {
  return (
    <button type="button" className={styles.fold} aria-expanded={open} onClick={onToggle}>
      <Icon name={icon} />
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <span className={styles.facts}>
          <span className={styles.state}>{state}</span>
          {children}
        </span>
      </span>
      <Icon name={open ? 'chevronDown' : 'chevronRight'} />
    </button>
  );
}

/** A fact that asks for care: a risk, a source that is not trusted. */
export function Mark({ children }: { children: ReactNode }) {
  return <span className={styles.mark}>{children}</span>;
}
