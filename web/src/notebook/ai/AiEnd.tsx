import { Plain } from '../../actions/Plain';
import { Words } from '../../actions/Words';
import { allow } from '../../models/consent';
import { type Asked, neededFor } from '../../models/found';
import { openModels } from '../../models/openModels';
import { useModels } from '../../models/store';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { sentence } from '../../ui/sentence';
import { toastFailure } from '../../ui/Toast';
import { failureOf } from '../../wire/requests';
import { emptyCell } from '../cells';
import { insertAfter } from '../edits';
import { run } from '../kernel';
import { isHiddenFromAi, seesWholeNotebook } from '../shownToAi';
import { type NotebookView, useNotebook } from '../view';
import styles from './Ai.module.css';
import type { EndPart } from './answer';
import { useCellModel } from './threads';

/** How an answer ended that did not simply end, and what can be done about it. */
export function AiEnd({ cellKey, end }: { cellKey: string; end: EndPart }) {
  const view = useNotebook();
  const asked = useAsked(cellKey, end.code === 'needs_consent');
  const again = () => void run(view, [cellKey]);
  if (asked) return <Allow cellKey={cellKey} asked={asked} />;
  const tone = end.code === 'Stopped' ? 'quiet' : end.code === 'Interrupted' ? 'warn' : 'err';
  return (
    <div className={styles.end} data-tone={tone}>
      <Icon name={tone === 'err' ? 'error' : 'stop'} size={14} />
      <p>
        {end.code === 'Stopped' ? 'Stopped.' : <Words text={sentence(end.message)} />}
        {end.hint && (
          <span className={styles.hint}>
            <Words text={sentence(end.hint)} />
          </span>
        )}
      </p>
      {SETTINGS.has(end.code) && <Button onClick={openModels}>Models and limits</Button>}
      <Button icon="retry" onClick={again}>
        Ask again
      </Button>
    </div>
  );
}

/** A setting or a limit stands in the way. */
const SETTINGS = new Set(['local_only', 'spending_limit', 'price_unknown', 'no_model', 'needs_consent']);

/** The service that a person has to allow first, as long as they have not. */
function useAsked(cellKey: string, needed: boolean): Asked | null {
  const { data } = useModels();
  const model = useCellModel(cellKey) ?? data?.chosen;
  return needed && data && model ? neededFor(data, model) : null;
}

/** Before anything of the notebook goes to a service for the first time: where to, what, and a person's yes. */
function Allow({ cellKey, asked }: { cellKey: string; asked: Asked }) {
  const view = useNotebook();
  const { cells, hidden, whole } = goingOut(view, cellKey);
  const yes = async () => {
    try {
      await allow(asked);
      await run(view, [cellKey]);
    } catch (error) {
      toastFailure(failureOf(error));
    }
  };
  return (
    <section className={styles.allow} aria-label={`Allow ${asked.name}?`}>
      <p>
        <Icon name="cloud" size={14} /> <strong>Nothing has been sent yet</strong>
      </p>
      <p>
        <Plain text={asked.name} /> is a remote service. It receives this cell and {cellWords(cells)}{' '}
        {whole ? 'around' : 'above'} it with their outputs, at <b>{asked.host}</b>{' '}
        {hidden > 0 && `, but not the ${hidden === 1 ? 'one' : hidden} hidden from AI`}. You are asked once per service.
        You can revoke this under Models.
      </p>
      <div className={styles.row}>
        <Button look="primary" onClick={() => void yes()}>
          Allow {asked.name} and ask
        </Button>
        <Button onClick={openModels}>Models</Button>
      </div>
    </section>
  );
}

const cellWords = (count: number) => (count === 0 ? 'no cell' : count === 1 ? 'the cell' : `the ${count} cells`);

function goingOut({ observed }: NotebookView, cellKey: string): { cells: number; hidden: number; whole: boolean } {
  const order = observed.keys();
  const whole = seesWholeNotebook(observed.doc, cellKey);
  const told = whole ? order.filter((key) => key !== cellKey) : order.slice(0, Math.max(0, order.indexOf(cellKey)));
  const hidden = told.filter((key) => isHiddenFromAi(observed.doc, key)).length;
  return { cells: told.length - hidden, hidden, whole };
}

/** The answer was cut off because the model was asked as often as the notebook allows. */
export function Limit({ cellKey, steps }: { cellKey: string; steps: number }) {
  const view = useNotebook();
  const goOn = () => {
    const key = insertAfter(view, cellKey, emptyCell('ai', 'Continue.'));
    void run(view, [key]);
  };
  return (
    <div className={styles.end} data-tone="warn">
      <Icon name="warning" size={14} />
      <p>
        Stopped after {steps === 1 ? 'one model call' : `${steps} model calls`}, the limit of this notebook.
        <span className={styles.hint}>
          To change it, set <code>max_ai_iterations</code> in the notebook’s metadata.
        </span>
      </p>
      <Button onClick={goOn}>Continue in a cell below</Button>
    </div>
  );
}
