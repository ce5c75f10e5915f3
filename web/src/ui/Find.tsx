import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { Button, IconButton } from './Button';
import { Input } from './Field';
import styles from './Find.module.css';

/** How words are looked for. */
export interface FindOptions {
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  readonly regexp: boolean;
}

/** The field for the replacement, and its buttons. */
interface Replacing {
  by: string;
  onBy(by: string): void;
  /** Replaces the match that is shown, and goes to the next. */
  onOne(): void;
  onAll(): void;
}

interface FindProps {
  /** Names the searched text: "Find in all cells". */
  label: string;
  value: string;
  /** How often it was asked for: each time the keyboard comes to it. */
  asked?: number;
  /** The query is no valid regular expression. */
  wrong?: boolean;
  /** How many matches there are, and which of them is shown. */
  said: string;
  /** There is no match to go to. */
  none: boolean;
  onText(text: string): void;
  onGo(step: 1 | -1): void;
  onClose(): void;
  options?: FindOptions;
  onOptions?(options: FindOptions): void;
  replacing?: Replacing;
  /** Opens the row for the replacement at once. */
  wantsReplace?: boolean;
}

const TOGGLES: { option: keyof FindOptions; sign: string; label: string; key: string }[] = [
  { option: 'matchCase', sign: 'Aa', label: 'Match case', key: 'c' },
  { option: 'wholeWord', sign: 'ab', label: 'Match whole word', key: 'w' },
  { option: 'regexp', sign: '.*', label: 'Use regular expression', key: 'r' },
];

/**
 * Looks for words, over the top right of a text. `Enter` goes on, with `Shift` back, `Escape` closes it; Alt-C, Alt-W and
 * Alt-R are its options, as in VS Code.
 */
export function Find(props: FindProps) {
  const { label, value, asked, wrong, said, none, onText, onGo, onClose, replacing, wantsReplace } = props;
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (wantsReplace) setOpen(true);
  }, [wantsReplace]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked again
  useLayoutEffect(() => takeFocus(field.current), [asked]);
  return (
    <div className={styles.anchor}>
      <search className={styles.find} onKeyDown={(event) => onKey(event, props)}>
        {replacing && (
          <IconButton
            icon={isOpen ? 'chevronDown' : 'chevronRight'}
            label="Toggle replace"
            aria-expanded={isOpen}
            className={styles.toggle}
            onClick={() => setOpen(!isOpen)}
          />
        )}
        <div className={styles.rows}>
          <div className={styles.row}>
            <div className={styles.box} data-wrong={wrong || undefined}>
              <Input
                aria-label={label}
                placeholder="Find"
                ref={field}
                value={value}
                aria-invalid={wrong || undefined}
                spellCheck={false}
                autoComplete="off"
                main-field="true"
                onChange={(event) => onText(event.target.value)}
              />
              <Toggles {...props} />
            </div>
            <span className={styles.found} role="status" data-wrong={wrong || undefined}>
              {said}
            </span>
            <IconButton icon="chevronUp" label="Previous match" disabled={none} onClick={() => onGo(-1)} />
            <IconButton icon="chevronDown" label="Next match" disabled={none} onClick={() => onGo(1)} />
            <IconButton icon="close" label="Close find" onClick={onClose} />
          </div>
          {replacing && isOpen && <ReplaceRow {...replacing} none={none} />}
        </div>
      </search>
    </div>
  );
}

function Toggles({ options, onOptions }: FindProps) {
  if (!options || !onOptions) return null;
  return TOGGLES.map(({ option, sign, label, key }) => (
    <button
      key={option}
      type="button"
      className={styles.option}
      data-option={option}
      title={`${label} (Alt-${key.toUpperCase()})`}
      aria-label={label}
      aria-pressed={options[option]}
      data-sign={sign}
      onClick={() => onOptions({ ...options, [option]: !options[option] })}
    />
  ));
}

function ReplaceRow({ by, onBy, onOne, onAll, none }: Replacing & { none: boolean }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey) onAll();
    else onOne();
  };
  return (
    <div className={styles.row}>
      <div className={styles.box}>
        <Input
          aria-label="Replace with"
          placeholder="Replace"
          value={by}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onBy(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <Button look="quiet" disabled={none} onClick={onOne}>
        Replace
      </Button>
      <Button look="quiet" disabled={none} onClick={onAll}>
        Replace all
      </Button>
    </div>
  );
}

function onKey(event: KeyboardEvent, { options, onOptions, onGo, onClose }: FindProps): void {
  const toggle = TOGGLES.find(({ key }) => event.altKey && event.code === `Key${key.toUpperCase()}`);
  const isGo = event.key === 'Enter' && !(event.target instanceof HTMLButtonElement);
  if (toggle && options && onOptions) onOptions({ ...options, [toggle.option]: !options[toggle.option] });
  else if (event.key === 'Escape') onClose();
  else if (isGo || event.key === 'F3') onGo(event.shiftKey ? -1 : 1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}
