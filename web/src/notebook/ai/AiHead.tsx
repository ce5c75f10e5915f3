import { lazy, Suspense, useRef, useState } from 'react';
import { useModels } from '../../models/store';
import { isRehearsal, modelName } from '../../threads/words';
import { Icon } from '../../ui/Icon';
import type { ModelRef } from '../../wire/gen/types';
import { useCell } from '../observed';
import { seesWholeNotebook, setSeesWholeNotebook } from '../shownToAi';
import { useNotebook } from '../view';
import styles from './Ai.module.css';
import { setCellModel, useAiThread, useCellModel } from './threads';

const Picker = lazy(() => import('../../models/Picker'));

/** Above an AI cell: the model that answers in it, and the way to another. */
export default function AiHead({ cellKey }: { cellKey: string }) {
  const view = useNotebook();
  const thread = useAiThread(cellKey);
  const { data } = useModels();
  const own = useCellModel(cellKey);
  const whole = useCell(view.observed, cellKey, seesWholeNotebook);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const model = own ?? data?.chosen;
  const name = model ? modelName(model) : data ? 'No model' : '…';
  const words = model && isRehearsal(model) ? `${name} scripted` : name;
  const choose = (chosen: ModelRef) => void setCellModel(view.path, cellKey, chosen);
  return (
    <div className={styles.head} data-own>
      <Icon name="model" size={12} />
      <span>AI</span>
      <button
        ref={button}
        type="button"
        className={styles.model}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`Model of this cell: ${words}`}
        title={own ? `${own}, chosen for this cell` : (model ?? 'No model')}
        onClick={() => setOpen(!open)}
      >
        <span className={styles.name}>{words}</span>
        <Icon name="chevronDown" size={12} />
      </button>
      <button
        type="button"
        className={styles.model}
        aria-pressed={whole}
        title={
          whole
            ? 'The model sees all cells of the notebook. Press to send only the cells above.'
            : 'The model sees the cells above. Press to send the whole notebook.'
        }
        onClick={() => view.live.undo.step(() => setSeesWholeNotebook(view.observed.doc, cellKey, !whole))}
      >
        {whole ? 'Whole notebook' : 'Cells above'}
      </button>
      {open && (
        <Suspense fallback={null}>
          <Picker
            anchor={button}
            thread={thread}
            words=""
            cell={{ model: model ?? null, choose }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
