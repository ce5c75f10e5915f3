import { changeThread } from '../threads/send';
import { runOnWords } from '../threads/words';
import { Button } from '../ui/Button';
import type { ActionRecord } from '../wire/gen/types';
import styles from './Remember.module.css';
import type { RunOn as Wish } from './runOn';
import { accept, useActions } from './store';
import { useSettled } from './useSettled';

/** Shows what it means that a thread runs a notebook's cells after whatever they put out, before a person lets it. */
export function RunOn({ record, wish, onClose }: { record: ActionRecord; wish: Wish; onClose(): void }) {
  const id = record.envelope.id;
  const deciding = useActions((state) => state.deciding.has(id));
  const settled = useSettled(record.approval_hash);
  const allow = async () => {
    if (!(await changeThread(wish.thread, { runs_after_outputs: wish.notebook }))) return;
    onClose();
    await accept(id);
  };
  return (
    <section className={styles.remember} aria-label="Run and continue after output">
      <p>{runOnWords(wish.notebook)}</p>
      <p>You can change this at any time in the thread’s cell run mode.</p>
      <div className={styles.buttons}>
        <Button
          look="danger"
          disabled={deciding || !settled}
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => void allow()}
        >
          Run and continue
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </section>
  );
}
