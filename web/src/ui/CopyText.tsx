import { useState } from 'react';
import { announce } from './Announcer';
import { Button } from './Button';
import styles from './Chip.module.css';
import { Icon } from './Icon';

interface CopyTextProps {
  text: string;
  /** What stands there, if that is shorter. */
  shown?: string;
  /** For the accessible name: "Copy {what}". */
  what: string;
}

/** A machine's word, copied when it is pressed. */
export function CopyText({ text, shown = text, what }: CopyTextProps) {
  const [copied, copy] = useCopy(text);
  return (
    <button type="button" className={styles.chip} title={text} aria-label={`Copy ${what}: ${shown}`} onClick={copy}>
      <code>{shown}</code>
      <Icon name={copied ? 'check' : 'copy'} size={12} />
    </button>
  );
}

/** The same for text that stands beside it. */
export function CopyButton({ text, what, shown = 'Copy' }: CopyTextProps) {
  const [copied, copy] = useCopy(text);
  return (
    <Button look="quiet" icon={copied ? 'check' : 'copy'} aria-label={`Copy: ${what}`} onClick={copy}>
      {copied ? 'Copied' : shown}
    </Button>
  );
}

function useCopy(text: string): [boolean, () => void] {
  const [copied, setCopied] = useState('');
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
    announce('Copied');
  };
  return [copied === text, () => void copy()];
}
