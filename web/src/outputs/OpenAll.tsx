import { useState } from 'react';
import { basePath } from '../app/base';
import { sizeWords } from '../notebook/words';
import { Button } from '../ui/Button';
import { failureOf } from '../wire/requests';
import type { OutputPlace } from './Outputs';
import styles from './Outputs.module.css';

interface OpenAllProps {
  at: OutputPlace;
  /** Which form of it, where it has several. */
  mime?: string;
  /** Bytes that are left out. */
  omitted: number;
  onRead(text: string): void;
}

/** Says how much of an output is left out, and reads the whole of it. */
export function OpenAll({ at, mime, omitted, onRead }: OpenAllProps) {
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({ busy: false, problem: null });
  const open = async () => {
    setState({ busy: true, problem: null });
    try {
      onRead(await readWhole(at, mime));
    } catch (error) {
      setState({ busy: false, problem: failureOf(error).message });
    }
  };
  return (
    <div className={styles.more}>
      <span>{state.problem ?? `${sizeWords(omitted)} not shown.`}</span>
      {at.output !== null && (
        <Button look="quiet" disabled={state.busy} onClick={() => void open()}>
          {state.busy ? 'Loading…' : 'Show all'}
        </Button>
      )}
    </div>
  );
}

/** The whole of an output, or of one form of it. */
export async function readWhole({ path, cell, output }: OutputPlace, mime?: string): Promise<string> {
  const query = new URLSearchParams({ path, cell, output: String(output), ...(mime && { mime }) });
  const answer = await fetch(`${basePath}api/v1/notebooks/output?${query}`, { credentials: 'same-origin' });
  if (!answer.ok) throw new Error(`Couldn’t load the output: the server responded with status ${answer.status}.`);
  return answer.text();
}
