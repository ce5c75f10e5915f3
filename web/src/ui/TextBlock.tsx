import type { ComponentProps } from 'react';
import styles from './TextBlock.module.css';

/** Text of a machine, line by line, in a box that scrolls when it is long and that the keyboard can reach. */
export function TextBlock(props: ComponentProps<'pre'>) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable.
  return <pre tabIndex={0} {...props} className={styles.block} />;
}
