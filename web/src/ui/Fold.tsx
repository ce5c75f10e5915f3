import type { ReactNode } from 'react';
import styles from './Fold.module.css';
import { Icon, type IconName } from './Icon';

/** The colour of a state; never its only sign. Whatever has it as `data-tone` has the colour as `--tone`. */
export type Tone = 'quiet' | 'warn' | 'accent' | 'ok' | 'err';

interface LineProps {
  icon: IconName;
  title: ReactNode;
  /** The word of the state, in its tone. */
  state: string;
  /** Facts beside the state, each an element. */
  children?: ReactNode;
}

interface FoldProps extends LineProps {
  open: boolean;
  onToggle(): void;
  /** Title and facts share one line; the state is told by shape and colour, and to screen readers in words. */
  compact?: boolean;
}

/** The line that stands for something that can be opened: its state as shape, word and colour, its title, its facts. */
export function Fold({ open, onToggle, compact = false, ...line }: FoldProps) {
  return (
    <button
      type="button"
      className={styles.line}
      data-compact={compact || undefined}
      aria-expanded={open}
      onClick={onToggle}
    >
      <Line {...line} />
      <Icon name={open ? 'chevronDown' : 'chevronRight'} />
    </button>
  );
}

/** The same for something that has a page of its own, to which it leads. */
export function Lead({ onGo, ...line }: LineProps & { onGo(): void }) {
  return (
    <button type="button" className={styles.line} onClick={onGo} data-lead>
      <Line {...line} />
      <Icon name="chevronRight" />
    </button>
  );
}

function Line({ icon, title, state, children }: LineProps) {
  return (
    <>
      <Icon name={icon} />
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <span className={styles.facts}>
          <span className={styles.state}>{state}</span>
          {children}
        </span>
      </span>
    </>
  );
}

/** What opens below the line. */
export function FoldBody({ children }: { children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}

/** A fact that asks for care: a risk, a source that is not trusted. */
export function Mark({ children }: { children: ReactNode }) {
  return <span className={styles.mark}>{children}</span>;
}
