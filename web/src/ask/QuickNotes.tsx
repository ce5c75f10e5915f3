import { openModels } from '../models/openModels';
import { Button } from '../ui/Button';
import { Note, Problem } from '../ui/Note';
import type { Failure } from '../wire/gen/types';
import { askModel } from './askModel';
import styles from './QuickPanel.module.css';
import { showQuick } from './quick';
import { Sentences } from './Sentences';

/** Sentences that every workspace understands. */
const EXAMPLES = ['close the other tabs', 'go to tasks', 'create file ideas.md'];

/** Says that only a model understands the sentence, and what works without one. */
export function NoModelNote() {
  return (
    <>
      <Note>
        This sentence needs a model, and none is connected. Names of actions and plain commands work without one.
      </Note>
      <Sentences of={EXAMPLES} />
      <div className={styles.foot}>
        <Button
          look="primary"
          onClick={() => {
            showQuick(null);
            openModels();
          }}
        >
          Connect a model
        </Button>
      </div>
    </>
  );
}

/** Why it did not begin. */
export function QuickFailure({ failure, text }: { failure: Failure; text: string }) {
  return (
    <>
      <Problem failure={failure} />
      <div className={styles.foot}>
        <Button onClick={() => void askModel(text)}>Ask the assistant instead</Button>
      </div>
    </>
  );
}
