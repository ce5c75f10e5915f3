import type { ComponentProps } from 'react';
import styles from './PaletteField.module.css';

/** The field of the palette. It is there before the rest of it is loaded, so that no letter goes elsewhere. */
export function PaletteField({ words, ...rest }: ComponentProps<'input'> & { words: string }) {
  return (
    <input
      className={styles.field}
      aria-label={words}
      placeholder={words}
      autoComplete="off"
      spellCheck={false}
      // biome-ignore lint/a11y/noAutofocus: who opened it wants to type
      autoFocus
      {...rest}
    />
  );
}
