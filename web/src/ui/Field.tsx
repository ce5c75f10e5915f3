import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './Field.module.css';
import { join } from './names';

/** One line to type into. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={join(styles.input, className)} />;
}

/** Several lines to type into. */
export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={join(styles.input, styles.area, className)} />;
}

interface SelectProps extends ComponentProps<'select'> {
  /** `quiet` for one that stands among words and buttons. */
  look?: 'plain' | 'quiet';
}

/** A choice of one. */
export function Select({ look = 'plain', className, ...rest }: SelectProps) {
  return <select {...rest} className={join(look === 'quiet' ? styles.quiet : styles.input, className)} />;
}

/** A field with its name above it; `children` gets the id that ties the two together. */
export function Field({ label, children }: { label: ReactNode; children(id: string): ReactNode }) {
  const id = useId();
  return (
    <span className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </span>
  );
}

/** Something to tick, with its words. */
export function Check({ children, ...rest }: ComponentProps<'input'> & { children: ReactNode }) {
  return (
    <label className={styles.check}>
      <input {...rest} type="checkbox" /> {children}
    </label>
  );
}
