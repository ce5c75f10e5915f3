import { isRehearsal, modelName } from '../threads/words';
import { Icon, type IconName } from '../ui/Icon';
import { join } from '../ui/names';
import type { ModelStatus, ProviderStatus } from '../wire/gen/types';
import { abilities, contextWords, isHere, type Row } from './choices';
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
      aria-label={spoken(row, inUse, forNew)}
      className={join(styles.row, row.kind === 'blocked' && styles.blocked)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <span className={styles.mark}>{inUse && <Icon name="check" size={14} />}</span>
      {row.kind === 'model' ? (
        <ModelLine provider={row.provider} model={row.model} forNew={forNew} />
      ) : (
        <span className={styles.name}>
          {row.kind === 'list' ? `List the models of ${row.provider.name}…` : `${row.provider.name}: set it up…`}
        </span>
      )}
    </div>
  );
}

function ModelLine({ provider, model, forNew }: { provider: ProviderStatus; model: ModelStatus; forNew: boolean }) {
  const here = isHere(provider, model);
  return (
    <>
      <span className={styles.name}>{modelName(model.model)}</span>
      {forNew && <span className={styles.tag}>new threads</span>}
      <span className={styles.abilities}>
        <Ability icon="tool" words="Takes tools" has={model.tools} without="Takes no tools" />
        <Ability icon="eye" words="Sees images" has={model.vision} />
        <Ability icon="thought" words="Thinks before it answers" has={model.thinking} />
      </span>
      <span className={styles.context}>{contextWords(model.context)}</span>
      <span className={styles.price}>{shortPrice(provider, model)}</span>
      <span title={here ? 'On this machine' : isRehearsal(model.model) ? 'Scripted' : 'Elsewhere'}>
        <Icon name={here ? 'machine' : 'cloud'} size={14} />
      </span>
    </>
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
      <span className={styles.lacks} title={without}>
        <Icon name={icon} size={14} />
      </span>
    );
  }
  return (
    <span className={styles.ability} title={has ? words : undefined}>
      {has && <Icon name={icon} size={14} />}
    </span>
  );
}

/** "$3 / $15", "local", "unknown". */
export function shortPrice(provider: ProviderStatus, model: ModelStatus): string {
  if (isRehearsal(model.model)) return 'scripted';
  if (isHere(provider, model)) return 'local';
  if (!model.price) return 'unknown';
  return `${perMillion(model.price.input)} / ${perMillion(model.price.output)}`;
}

function spoken(row: Exclude<Row, { kind: 'heading' }>, inUse: boolean, forNew: boolean): string {
  if (row.kind === 'list') return `List the models of ${row.provider.name}`;
  if (row.kind === 'blocked') return `${row.provider.name}, not ready: ${row.why}`;
  const { provider, model } = row;
  const context = contextWords(model.context);
  const price = shortPrice(provider, model);
  return [
    modelName(model.model),
    provider.name,
    inUse && 'in use',
    forNew && 'for new threads',
    ...abilities(model),
    context && `${context} context`,
    model.price ? `${price} per million tokens in and out` : price === 'unknown' ? 'price unknown' : price,
    isHere(provider, model) ? 'on this machine' : 'elsewhere',
  ]
    .filter(Boolean)
    .join(', ');
}
