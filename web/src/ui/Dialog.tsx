import { type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from './Button';
import styles from './Dialog.module.css';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** Buttons at the end. */
  footer?: ReactNode;
  /** `wide` is for two things beside each other; `panel` is at the end of the window, `drawer` at its start; `palette` at the top, without a visible title. */
  look?: 'box' | 'wide' | 'panel' | 'drawer' | 'palette';
}

/** A modal dialog: focus starts at `data-first-focus`, stays in it, Escape closes it, and closing gives the focus back to where it was. */
export function Dialog({ title, onClose, children, footer, look = 'box' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    element?.querySelector<HTMLElement>('[data-first-focus]')?.focus();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${styles[look]}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.content}>
        <div className={look === 'palette' ? 'visually-hidden' : styles.header}>
          <h2 id={heading}>{title}</h2>
          {look !== 'palette' && <IconButton icon="close" label="Close" onClick={onClose} />}
        </div>
        {/* With more text than room and nothing to focus in it, the keyboard has to reach the text itself. */}
        <div className={styles.body} tabIndex={look === 'box' || look === 'wide' ? 0 : undefined}>
          {children}
        </div>
        {footer && <div className={styles.footer}>{footer}</div>}
      </div>
    </dialog>
  );
}
