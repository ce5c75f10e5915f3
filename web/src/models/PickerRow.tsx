import { isRehearsal, modelName } from '../threads/words';
import { Icon, type IconName } from '../ui/Icon';
import { join } from '../ui/names';
import type { ModelStatus, ProviderStatus } from '../wire/gen/types';
import { contextWords, isHere, type Row } from './choices';
import { perMillion } from './money';
import styles from './Picker.module.css';

interface PickerRowProps {
  id: string;
  row: Row;
  /** Has the keyboard. */
  selected: boolean;
  /** Answers in this thread. */
  inUse: boolean;
  /** Is what new threads begin with. */
  forNew: boolean;
  onPick(): void;
}

/** One line of the list: a heading, a model, or a provider without models and what to do about it. */
export function PickerRow({ id, row, selected, inUse, forNew, onPick }: PickerRowProps) {
  if (row.kind === 'heading') {
    return (
      <div role="presentation" className={styles.heading}>
        {row.words}
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      className={join(styles.row, row.kind === 'blocked' && styles.blocked)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <span className={styles.mark}>{inUse && <Icon name="check" size={14} />}</span>
      {row.kind === 'model' ? (
        <ModelLine provider={row.provider} model={row.model} inUse={inUse} forNew={forNew} />
      ) : (
        <span className={styles.name}>
          {row.kind === 'list' ? `List models of ${row.provider.name}…` : blockedWords(row.provider)}
        </span>
      )}
    </div>
  );
}

function blockedWords({ name, off }: ProviderStatus): string {
  return off ? `${name}: off while Local only is on` : `${name}: set up…`;
}

interface ModelLineProps {
  provider: ProviderStatus;
  model: ModelStatus;
  inUse: boolean;
  forNew: boolean;
}

function ModelLine({ provider, model, inUse, forNew }: ModelLineProps) {
  return (
    <>
      <span className={styles.name}>
        {modelName(model.model)}
        <span className="visually-hidden">
          , {provider.name}
          {inUse && ', in use'}
        </span>
      </span>
      {forNew && <span className={styles.tag}>new threads</span>}
      <ModelFacts provider={provider} model={model} />
    </>
  );
}

/** What a model can, how much it reads, what it costs and where it is: as small as it goes. */
export function ModelFacts({ provider, model }: { provider: ProviderStatus; model: ModelStatus }) {
  const place = isHere(provider, model) ? 'On this computer' : 'Remote';
  return (
    <>
      <span className={styles.abilities}>
        <Ability icon="tool" words="Supports tools" has={model.tools} without="No tool support" />
        <Ability icon="eye" words="Supports images" has={model.vision} />
        <Ability icon="thought" words="Supports thinking" has={model.thinking} />
      </span>
      <span className={styles.context} title="Context window in tokens">
        {contextWords(model.context)}
      </span>
      <span className={styles.price} title="Dollars per million input / output tokens">
        {shortPrice(provider, model)}
      </span>
      <Shape icon={isHere(provider, model) ? 'machine' : 'cloud'} words={place} />
    </>
  );
}

/** A shape with its words for those who point at it or listen. */
function Shape({ icon, words }: { icon: IconName; words: string }) {
  return (
    <span className={styles.shape} role="img" aria-label={words} title={words}>
      <Icon name={icon} size={14} />
    </span>
  );
}

interface AbilityProps {
  icon: IconName;
  words: string;
  has: boolean | null;
  /** What it means when it is known not to have it, if that matters. */
  without?: string;
}

function Ability({ icon, words, has, without }: AbilityProps) {
  if (has === false && without) {
    return (
      <span className={styles.lacks}>
        <Shape icon={icon} words={without} />
      </span>
    );
  }
  return has ? <Shape icon={icon} words={words} /> : <span />;
}

/** "$3 / $15", "local", "unknown". */
export function shortPrice(provider: ProviderStatus, model: ModelStatus): string {
  if (isRehearsal(model.model)) return 'scripted';
  if (isHere(provider, model)) return 'local';
  if (!model.price) return 'unknown';
  return `${perMillion(model.price.rates.input)} / ${perMillion(model.price.rates.output)}`;
}
