import type { ButtonHTMLAttributes } from 'react';
import styles from './Find.module.css';

interface ReplaceButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
}

/** Replaces what it stands beside. Its shape is drawn here: the window's own icons are loaded at the start. */
export function ReplaceButton({ label, ...rest }: ReplaceButtonProps) {
  return (
    <button type="button" title={label} aria-label={label} {...rest} className={styles.replace}>
      <svg width={16} height={16} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <path d="M3 3h5v4H3zM5.500 9v3.500H9M7.500 11 9 12.500 7.500 14M10.500 10.500h3v4h-3z" />
      </svg>
    </button>
  );
}
