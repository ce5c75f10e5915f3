import { useEffect, useRef, useState } from 'react';
import { Input, Select } from '../ui/Field';
import { Switch } from '../ui/Switch';
import type { SettingView } from '../wire/gen/types';
import styles from './SettingsPage.module.css';
import { numberIn } from './search';

interface ControlProps {
  /** Of the element that has the value; its name is at `{id}-name`, its help at `{id}-help`. */
  id: string;
  view: SettingView;
  onChange(value: boolean | number | string): void;
}

/** Sets a setting, by the control that fits its type. */
export function Control({ id, view, onChange }: ControlProps) {
  const { kind } = view.setting;
  const named = { id, 'aria-describedby': `${id}-help` };
  switch (kind.type) {
    case 'switch':
      return (
        <Switch
          {...named}
          aria-labelledby={`${id}-name`}
          on={view.value === true}
          onClick={() => onChange(view.value !== true)}
        />
      );
    case 'choice':
      return (
        <Select {...named} value={String(view.value)} onChange={({ target }) => onChange(target.value)}>
          {kind.options.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </Select>
      );
    case 'number':
      return <NumberControl named={named} view={view} kind={kind} onChange={onChange} />;
    case 'text':
      return <TextControl named={named} view={view} kind={kind} onChange={onChange} />;
    case 'list':
      return <TextControl named={named} view={view} kind={listKind(kind.default)} onChange={onChange} />;
  }
}

const listKind = (example: string) => ({ example, longest: 400 });

interface TextProps extends Omit<ControlProps, 'id'> {
  named: { id: string; 'aria-describedby': string };
  kind: { example: string; longest: number };
}

/** A line of text that counts when the person leaves it or presses Enter: half of it would be another value. */
function TextControl({ named, view, kind: { example, longest }, onChange }: TextProps) {
  const [text, setText] = useState(String(view.value));
  useEffect(() => setText(String(view.value)), [view.value]);
  const keep = () => {
    if (text.trim() !== view.value) onChange(text.trim());
  };
  return (
    <Input
      {...named}
      value={text}
      placeholder={example}
      maxLength={longest}
      spellCheck={false}
      onChange={({ target }) => setText(target.value)}
      onBlur={keep}
      onKeyDown={({ key }) => key === 'Enter' && keep()}
    />
  );
}

interface NumberProps extends Omit<ControlProps, 'id'> {
  named: { id: string; 'aria-describedby': string };
  kind: { least: number; most: number };
}

/** Milliseconds without another change after which a number counts. */
const PAUSE = 400;

/** A number that counts once it is one of those that are allowed, and no other follows. */
function NumberControl({ named, view, kind: { least, most }, onChange }: NumberProps) {
  const [text, setText] = useState(String(view.value));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (timer.current === undefined) setText(String(view.value));
  }, [view.value]);
  const isWrong = numberIn(text, least, most) === null;
  const keep = (text: string) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const number = numberIn(text, least, most);
    if (number === null) setText(String(view.value));
    else if (number !== view.value) onChange(number);
  };
  const type = (text: string) => {
    setText(text);
    clearTimeout(timer.current);
    timer.current = numberIn(text, least, most) === null ? undefined : setTimeout(() => keep(text), PAUSE);
  };
  return (
    <span className={styles.number}>
      <Input
        {...named}
        type="number"
        min={least}
        max={most}
        step={1}
        value={text}
        aria-invalid={isWrong}
        onChange={({ target }) => type(target.value)}
        onBlur={() => keep(text)}
        onKeyDown={({ key }) => key === 'Enter' && keep(text)}
      />
      <span className={styles.range} role={isWrong ? 'alert' : undefined} data-wrong={isWrong}>
        {least} to {most}
      </span>
    </span>
  );
}
