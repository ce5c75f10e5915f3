import { lazy, Suspense, useContext, useState } from 'react';
import { Plain } from '../actions/Plain';
import { announce } from '../ui/Announcer';
import { IconButton } from '../ui/Button';
import { DocumentContext } from './document';
import styles from './Markdown.module.css';
import { isTurned } from './Unturned';

const ColouredCode = lazy(() => import('./ColouredCode'));

/** Code with its language and a button that copies it. */
export function CodeBlock({ language, text }: { language: string | null; text: string }) {
  const isNote = useContext(DocumentContext)?.note !== undefined;
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    announce('Copied');
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div className={styles.code}>
      <div className={styles.codeHeader}>
        <span>
          <Plain text={language ?? 'text'} />
        </span>
        <IconButton icon={copied ? 'check' : 'copy'} label="Copy code" onClick={() => void copy()} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
      <pre tabIndex={0}>
        <code>
          {isNote && language && !isTurned(text) ? (
            <Suspense fallback={text}>
              <ColouredCode language={language} text={text} />
            </Suspense>
          ) : (
            <Plain text={text} />
          )}
        </code>
      </pre>
    </div>
  );
}
