import { useState } from 'react';
import { Button } from '../../ui/Button';
import { toastFailure } from '../../ui/Toast';
import { submitAction } from '../../wire/actions';
import { failureOf } from '../../wire/requests';
import type { CommandResult as Result } from '../command';
import { Plain } from '../Plain';
import styles from './Command.module.css';
import { Diff } from './Diff';

/** What came of a command: how it ended, what it put out, what it changed. */
export function CommandResult({ result }: { result: Result }) {
  return (
    <div className={styles.command}>
      {result.summary.split('\n').map((line) => (
        <p key={line}>
          <Plain text={line} />
        </p>
      ))}
      <Output result={result} />
      {result.diffs.length > 0 && (
        <details className={styles.cwd}>
          <summary>Changed lines</summary>
          <Diff record={null} files={result.diffs} />
          {result.cut && <p>More changes are not shown.</p>}
        </details>
      )}
    </div>
  );
}

/** The end of the output; from the beginning on if asked for. */
function Output({ result: { output, handle, lines } }: { result: Result }) {
  const [read, setRead] = useState<{ text: string; end: number } | null>(null);
  const [reading, setReading] = useState(false);
  if (output.trim() === '') return null;
  const more = handle !== null && (read === null || read.end < lines);
  const next = async () => {
    if (handle === null) return;
    setReading(true);
    try {
      const page = await readPage(handle, (read?.end ?? 0) + 1);
      setRead({ text: (read?.text ?? '') + page.text, end: page.end });
    } catch (error) {
      toastFailure(failureOf(error));
    } finally {
      setReading(false);
    }
  };
  return (
    <>
      {handle !== null && read === null && <p className={styles.cwd}>End of {lines} lines:</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
      <pre className={styles.output} tabIndex={0}>
        <Plain text={read?.text ?? output} />
      </pre>
      {more && (
        <Button look="quiet" disabled={reading} onClick={() => void next()}>
          {read === null ? 'Show from the beginning' : `Show more, from line ${read.end + 1}`}
        </Button>
      )}
    </>
  );
}

async function readPage(output: string, start: number): Promise<{ text: string; end: number }> {
  const { outcome } = await submitAction({ action_type: 'shell.output', args: { output, start } });
  if (outcome?.kind !== 'done')
    throw new Error(outcome && 'failure' in outcome ? outcome.failure.message : 'Couldn’t load the output.');
  return outcome.observation.data as { text: string; end: number };
}
