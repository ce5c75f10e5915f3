import { lazy, Suspense } from 'react';
import { Plain } from '../actions/Plain';
import styles from './Turn.module.css';
import { askedFor, pieces, type Written } from './written';

const Markdown = lazy(() => import('../markdown/Markdown'));

/** What a model said: prose, and folded between it what a model without tools wrote to ask for something. */
export function Answer({ text, streaming }: { text: string; streaming: boolean }) {
  return pieces(text).map((piece, index) => {
    const key = `${index} ${piece.kind}`;
    return piece.kind === 'block' ? (
      <Asked key={key} block={piece} streaming={streaming} />
    ) : (
      <Suspense key={key} fallback={<p className={styles.plain}>{piece.text}</p>}>
        <Markdown text={piece.text} />
      </Suspense>
    );
  });
}

/** The cards below show what came of it; this is how it was written. */
function Asked({ block, streaming }: { block: Written; streaming: boolean }) {
  return (
    <details className={styles.written}>
      <summary>
        {askedFor(block, streaming)}
        {block.about !== '' && (
          <>
            {': '}
            <code>
              <Plain text={block.about} />
            </code>
          </>
        )}
        {block.open && (streaming ? ' …' : ', incomplete')}
      </summary>
      <pre>
        <Plain text={block.text} />
      </pre>
    </details>
  );
}
