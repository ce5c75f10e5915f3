import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { keyLabel } from '../app/keymap';
import { isGuest } from '../app/session';
import { IconButton } from '../ui/Button';
import { Field, Input } from '../ui/Field';
import type { FindOptions } from '../ui/Find';
import styles from './Find.module.css';
import { changeFind, clearFind, findNow, useFind } from './findStore';
import { ReplaceButton } from './ReplaceButton';
import { replaceAll } from './replaceAll';

const TOGGLES: readonly { option: keyof FindOptions; sign: string; label: string; key: string }[] = [
  { option: 'matchCase', sign: 'Aa', label: 'Match case', key: 'c' },
  { option: 'wholeWord', sign: 'ab', label: 'Match whole word', key: 'w' },
  { option: 'regexp', sign: '.*', label: 'Use regular expression', key: 'r' },
];

/** The text, its replacement, and in which files. */
export function FindFields() {
  const { isReplacing, showsGlobs, include, exclude } = useFind();
  const guest = isGuest();
  return (
    <search className={styles.fields} onKeyDown={onKey}>
      <div className={styles.row}>
        {!guest && (
          <IconButton
            icon={isReplacing ? 'chevronDown' : 'chevronRight'}
            label="Toggle replace"
            aria-expanded={isReplacing}
            className={styles.toggle}
            onClick={() => useFind.setState({ isReplacing: !isReplacing })}
          />
        )}
        <div className={styles.boxes}>
          <TextBox />
          {isReplacing && !guest && <ReplaceBox />}
        </div>
      </div>
      <div className={styles.globs} data-open={showsGlobs || undefined}>
        {showsGlobs && (
          <>
            <Glob
              label="Files to include"
              example="notes/**, *.py"
              value={include}
              onText={(text) => changeFind({ include: text })}
            />
            <Glob
              label="Files to exclude"
              example="**/old"
              value={exclude}
              onText={(text) => changeFind({ exclude: text })}
            />
          </>
        )}
        <button
          type="button"
          className={styles.link}
          aria-expanded={showsGlobs}
          onClick={() => useFind.setState({ showsGlobs: !showsGlobs })}
        >
          {showsGlobs ? 'Hide files to include and exclude' : 'Files to include and exclude'}
        </button>
      </div>
    </search>
  );
}

function TextBox() {
  const find = useFind();
  const field = useRef<HTMLInputElement>(null);
  const { asked, text, failure } = find;
  useLayoutEffect(() => {
    if (asked === 0) return;
    field.current?.focus();
    field.current?.select();
  }, [asked]);
  const wrong = failure !== null && failure.code !== 'offline' && find.files.length === 0;
  return (
    <div className={styles.box} data-wrong={wrong || undefined}>
      <Input
        ref={field}
        aria-label="Find in files"
        placeholder="Find"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={wrong || undefined}
        data-first-focus
        value={text}
        onChange={(event) => changeFind({ text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') clearFind();
        }}
      />
      {TOGGLES.map(({ option, sign, label, key }) => (
        <button
          key={option}
          type="button"
          className={styles.option}
          data-option={option}
          data-sign={sign}
          title={`${label} (${keyLabel(`Alt-${key}`)})`}
          aria-label={label}
          aria-pressed={find[option]}
          onClick={() => changeFind({ [option]: !find[option] })}
        />
      ))}
    </div>
  );
}

function ReplaceBox() {
  const { replacement, files, busy } = useFind();
  return (
    <div className={styles.box}>
      <Input
        aria-label="Replace with"
        placeholder="Replace"
        autoComplete="off"
        spellCheck={false}
        value={replacement}
        onChange={(event) => changeFind({ replacement: event.target.value })}
      />
      <ReplaceButton label="Replace all…" disabled={files.length === 0 || busy} onClick={() => void replaceAll()} />
    </div>
  );
}

interface GlobProps {
  label: string;
  example: string;
  value: string;
  onText(text: string): void;
}

function Glob({ label, example, value, onText }: GlobProps) {
  return (
    <Field label={label}>
      {(id) => (
        <Input
          id={id}
          placeholder={example}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Enter looks at once, Down goes to what was found; Alt-C, Alt-W and Alt-R are the options, as in the editor. */
function onKey(event: KeyboardEvent): void {
  if (event.nativeEvent.isComposing) return;
  const toggle = TOGGLES.find(({ key }) => event.altKey && event.code === `Key${key.toUpperCase()}`);
  const isField = event.target instanceof HTMLInputElement;
  if (toggle) changeFind({ [toggle.option]: !useFind.getState()[toggle.option] });
  else if (isField && event.key === 'Enter') void findNow();
  else if (isField && event.key === 'ArrowDown') document.getElementById(RESULTS)?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The id of the list of results. */
export const RESULTS = 'find-results';
