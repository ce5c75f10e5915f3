import { Fragment } from 'react';
import { Words } from '../actions/Words';
import { keyLabel } from '../app/keymap';
import { isRehearsal, modelName } from '../threads/words';
import { Button } from '../ui/Button';
import foot from '../ui/Foot.module.css';
import type { ModelStatus, ProviderStatus, ThreadId, TokenRates } from '../wire/gen/types';
import { contextWords, isHere, type Row } from './choices';
import { priceLines } from './money';
import styles from './Picker.module.css';
import { ThinkingMenu } from './ThinkingMenu';

interface PickerFootProps {
  row: Row | undefined;
  thread: ThreadId | null;
  /** The choice is for a cell of a notebook, which may have no thread yet. */
  inCell: boolean;
  onUse(): void;
  onUseForNew(): void;
  onAll(): void;
}

/** Below the list: what there is to know of the row that has the keyboard, and what can be done with it. */
export function PickerFoot({ row, thread, inCell, onUse, onUseForNew, onAll }: PickerFootProps) {
  return (
    <div className={`${foot.foot} ${styles.foot}`}>
      <div className={styles.about}>{row && <About row={row} />}</div>
      {(!inCell || thread) && <ThinkingMenu thread={thread} />}
      <div className={styles.buttons}>
        {row?.kind === 'model' && (
          <>
            <Button look="primary" onClick={onUse}>
              {inCell ? 'Use in this cell' : 'Use in this thread'} <kbd>{keyLabel('Enter')}</kbd>
            </Button>
            <Button onClick={onUseForNew}>
              For new threads <kbd>{keyLabel('Mod-Enter')}</kbd>
            </Button>
          </>
        )}
        {row?.kind === 'blocked' && (
          <Button look="primary" onClick={onUse}>
            {row.provider.off ? 'Change Local only' : 'Set up'}
          </Button>
        )}
        {row?.kind === 'list' && (
          <Button look="primary" onClick={onUse}>
            List models
          </Button>
        )}
        <Button look="quiet" className={styles.all} onClick={onAll}>
          Model settings
        </Button>
      </div>
    </div>
  );
}

function About({ row }: { row: Row }) {
  switch (row.kind) {
    case 'heading':
      return null;
    case 'blocked':
      return (
        <p>
          <Words text={row.why} />
        </p>
      );
    case 'list':
      return (
        <p>
          {row.provider.list_problem && (
            <>
              <Words text={row.provider.list_problem} />{' '}
            </>
          )}
          Loads the model list from {row.provider.host ?? row.provider.name}. Only the API key is sent.
        </p>
      );
    case 'model':
      return <AboutModel provider={row.provider} model={row.model} />;
  }
}

function AboutModel({ provider, model }: { provider: ProviderStatus; model: ModelStatus }) {
  const context = contextWords(model.context);
  return (
    <>
      <p className={styles.full}>
        {modelName(model.model)} <span>{provider.name}</span>
      </p>
      <p>
        {placeWords(provider, model)} {context ? `Context window: ${context} tokens.` : ''}
        {model.tools === false ? ' It does not support tools, so its answers may not be based on your files.' : ''}
      </p>
      <Price provider={provider} model={model} />
    </>
  );
}

function Price({ provider, model }: { provider: ProviderStatus; model: ModelStatus }) {
  if (isRehearsal(model.model) || isHere(provider, model)) return <p>Free.</p>;
  const { price } = model;
  if (!price) return <p>Price unknown. This model can’t be used while a spending limit is set.</p>;
  return (
    <>
      <Rates rates={price.rates} />
      {price.above.map(({ tokens, rates }) => (
        <Fragment key={tokens}>
          <p>Above {contextWords(tokens)} input tokens:</p>
          <Rates rates={rates} />
        </Fragment>
      ))}
      <p>Per million tokens, from {price.source}.</p>
    </>
  );
}

function Rates({ rates }: { rates: TokenRates }) {
  return (
    <dl className={styles.prices}>
      {priceLines(rates).map(({ what, costs }) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{costs}</dd>
        </div>
      ))}
    </dl>
  );
}

function placeWords(provider: ProviderStatus, model: ModelStatus): string {
  if (isRehearsal(model.model)) return 'Scripted answers, to try Aside without a model.';
  if (isHere(provider, model)) return 'Messages stay on this computer.';
  const place = `Messages go to ${model.host ?? provider.host ?? provider.name}.`;
  return model.consent === 'needed' ? `${place} You are asked first.` : place;
}
