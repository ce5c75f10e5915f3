import { Icon } from '../ui/Icon';
import { Menu } from '../ui/Menu';
import { type FilterName, filterIn, KINDS, withFilter, withoutFilter } from './filters';
import styles from './Search.module.css';

interface FilterChipsProps {
  text: string;
  onText(text: string): void;
  /** The filter waits for its value: the keyboard goes to the box. */
  onWrite(): void;
}

const WRITTEN: readonly { name: FilterName; word: string }[] = [
  { name: 'tag', word: 'Tag' },
  { name: 'path', word: 'Path' },
  { name: 'before', word: 'Before' },
  { name: 'after', word: 'After' },
];

/** The filters, as chips that write into the box. */
export function FilterChips({ text, onText, onWrite }: FilterChipsProps) {
  const write = (name: FilterName, value: string) => {
    onText(withFilter(text, name, value));
    onWrite();
  };
  const remove = (name: FilterName) => {
    onText(withoutFilter(text, name));
    onWrite();
  };
  const kind = KINDS.find((each) => each.kind === filterIn(text, 'kind'));
  return (
    <fieldset className={styles.chips} aria-label="Filters">
      {kind ? (
        <Chip word={kind.name} label={`Remove filter: ${kind.name}`} pressed onPress={() => remove('kind')} />
      ) : (
        <Menu
          icon="chevronDown"
          label="Filter: Kind"
          words="Kind"
          items={KINDS.map((each) => ({ label: each.name, run: () => write('kind', each.kind) }))}
        />
      )}
      <Choice name="has" word="Has todo" text={text} onWrite={() => write('has', 'todo')} onRemove={remove} />
      {WRITTEN.map((each) => (
        <Choice key={each.name} {...each} text={text} onWrite={() => write(each.name, '')} onRemove={remove} />
      ))}
    </fieldset>
  );
}

interface ChoiceProps {
  name: FilterName;
  word: string;
  text: string;
  onWrite(): void;
  onRemove(name: FilterName): void;
}

function Choice({ name, word, text, onWrite, onRemove }: ChoiceProps) {
  const value = filterIn(text, name);
  if (value === undefined) return <Chip word={word} label={`Filter: ${word}`} pressed={false} onPress={onWrite} />;
  const shown = name === 'has' || value === '' ? word : `${word} ${value}`;
  return <Chip word={shown} label={`Remove filter: ${shown}`} pressed onPress={() => onRemove(name)} />;
}

interface ChipProps {
  word: string;
  label: string;
  pressed: boolean;
  onPress(): void;
}

function Chip({ word, label, pressed, onPress }: ChipProps) {
  return (
    <button
      type="button"
      className={styles.chip}
      aria-label={label}
      title={label}
      data-on={pressed || undefined}
      onClick={onPress}
    >
      <span>{word}</span>
      {pressed && <Icon name="close" size={12} />}
    </button>
  );
}
