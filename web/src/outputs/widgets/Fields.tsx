import { useId } from 'react';
import { Check, Input, TextArea } from '../../ui/Field';
import { Labelled } from './Labelled';
import { Marked } from './Marked';
import { kindOf, text, texts } from './model';
import { useRest } from './Range';
import { useControl } from './tell';
import styles from './Widgets.module.css';
import type { WidgetKind } from './WidgetView';

const asText = (value: unknown) => (typeof value === 'string' ? value : '');
const asFlag = (value: unknown) => value === true;

const TYPES: Record<string, string> = { PasswordModel: 'password', ColorPickerModel: 'color' };

const OneLine: WidgetKind = ({ at, widget }) => {
  const { value: said, set, disabled } = useControl(at, widget, 'value', asText);
  const { value, slid, rest } = useRest(said, widget.state.continuous_update === false, set);
  const options = texts(widget.state, 'options');
  const list = useId();
  return (
    <Labelled widget={widget}>
      {(id, label) => (
        <>
          <Input
            id={id}
            aria-label={label}
            type={TYPES[kindOf(widget)] ?? 'text'}
            list={options.length > 0 ? list : undefined}
            autoComplete="off"
            placeholder={text(widget.state, 'placeholder')}
            value={value}
            disabled={disabled}
            onChange={(event) => slid(event.target.value)}
            {...rest}
          />
          {options.length > 0 && (
            <datalist id={list}>
              {options.map((option) => (
                <option key={option} value={option} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Labelled>
  );
};

const LongText: WidgetKind = ({ at, widget }) => {
  const { value: said, set, disabled } = useControl(at, widget, 'value', asText);
  const { value, slid, rest } = useRest(said, widget.state.continuous_update === false, set);
  return (
    <Labelled widget={widget}>
      {(id, label) => (
        <TextArea
          id={id}
          aria-label={label}
          rows={4}
          placeholder={text(widget.state, 'placeholder')}
          value={value}
          disabled={disabled}
          onChange={(event) => slid(event.target.value)}
          onBlur={rest.onBlur}
        />
      )}
    </Labelled>
  );
};

const Checkbox: WidgetKind = ({ at, widget }) => {
  const { value, set, disabled } = useControl(at, widget, 'value', asFlag);
  return (
    <Check checked={value} disabled={disabled} onChange={(event) => set(event.target.checked)}>
      {text(widget.state, 'description') || <span className="visually-hidden">Value</span>}
    </Check>
  );
};

const Toggle: WidgetKind = ({ at, widget }) => {
  const { value, set, disabled } = useControl(at, widget, 'value', asFlag);
  return (
    <Marked
      {...looks(widget.state)}
      otherwise="Switch"
      aria-pressed={value}
      disabled={disabled}
      onClick={() => set(!value)}
    />
  );
};

const Press: WidgetKind = ({ at, widget }) => {
  const { press, disabled } = useControl(at, widget, 'description', asText);
  return <Marked {...looks(widget.state)} otherwise="Press" disabled={disabled} onClick={press} />;
};

/** How code wants a button to look. */
const looks = (state: Record<string, unknown>) => ({
  tone: text(state, 'button_style'),
  icon: text(state, 'icon'),
  words: text(state, 'description'),
  title: text(state, 'tooltip') || undefined,
});

const Valid: WidgetKind = ({ widget: { state } }) => (
  <div className={styles.control}>
    <span>{text(state, 'description')}</span>
    <span>{state.value === true ? '✓ valid' : `✗ ${text(state, 'readout') || 'invalid'}`}</span>
  </div>
);

/** What is typed, ticked and pressed. */
export const FIELDS: Record<string, WidgetKind> = {
  TextModel: OneLine,
  ComboboxModel: OneLine,
  PasswordModel: OneLine,
  ColorPickerModel: OneLine,
  TextareaModel: LongText,
  CheckboxModel: Checkbox,
  ToggleButtonModel: Toggle,
  ButtonModel: Press,
  ValidModel: Valid,
};
