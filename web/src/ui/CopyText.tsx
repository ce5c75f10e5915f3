import { useState } from 'react';
import { announce } from './Announcer';
import styles from './CopyText.module.css';
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
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    announce('Copied');
  };
  return (
    <button
      type="button"
      className={styles.copy}
      title={text}
      aria-label={`Copy ${what}: ${shown}`}
      onClick={() => void copy()}
    >
      <code>{shown}</code>
      <Icon name={copied ? 'check' : 'copy'} size={12} />
    </button>
  );
}
