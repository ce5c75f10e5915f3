import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { IconButton } from './Button';
import { Input } from './Field';
import styles from './Find.module.css';

interface FindProps {
  /** What is looked through: "Find in all cells". */
  label: string;
  value: string;
  /** How often it was asked for: each time the keyboard comes to it. */
  asked?: number;
  /** It can't be looked for as it is. */
  wrong?: boolean;
  /** How many there are, and which of them is shown. */
  said: string;
  /** There is none to go to. */
  none: boolean;
  onText(text: string): void;
  onGo(step: 1 | -1): void;
  onClose(): void;
  /** What else can be done. */
  children?: ReactNode;
}

/** A bar to look for words: `Enter` goes on, with `Shift` back, and `Escape` closes it. */
export function Find({ label, value, asked, wrong, said, none, onText, onGo, onClose, children }: FindProps) {
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked again
  useLayoutEffect(() => takeFocus(field.current), [asked]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return;
    if (event.key === 'Enter' && event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    else onGo(event.shiftKey ? -1 : 1);
  };
  return (
    <search className={styles.find} onKeyDown={onKeyDown}>
      <Input
        aria-label={label}
        placeholder="Find"
        ref={field}
        value={value}
        aria-invalid={wrong || undefined}
        onChange={(event) => onText(event.target.value)}
      />
      <span className={styles.found} role="status">
        {said}
      </span>
      <IconButton icon="chevronUp" label="Previous match" disabled={none} onClick={() => onGo(-1)} />
      <IconButton icon="chevronDown" label="Next match" disabled={none} onClick={() => onGo(1)} />
      {children}
      <IconButton icon="close" label="Close find" onClick={onClose} />
    </search>
  );
}

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}
