import type { ButtonHTMLAttributes, Ref } from 'react';
import styles from './Button.module.css';
import { Icon, type IconName } from './Icon';
import { join } from './names';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` once in a dialog or card; `danger` for what destroys; `quiet` for rows of buttons. */
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  icon?: IconName;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with words. */
export function Button({ look = 'plain', icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={join(styles.button, styles[look], className)}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: IconName;
  /** What it does: the accessible name and the tip. */
  label: string;
  ref?: Ref<HTMLButtonElement>;
}

/** A button that is only a shape. */
export function IconButton({ icon, label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={join(styles.button, styles.quiet, styles.square, className)}
    >
      <Icon name={icon} />
      {children}
    </button>
  );
}
