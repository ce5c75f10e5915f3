import { useId } from 'react';
import { Button } from '../../ui/Button';
import { Select } from '../../ui/Field';
import { Labelled } from './Labelled';
import { number, text, texts } from './model';
import { useControl } from './tell';
import styles from './Widgets.module.css';
import type { WidgetKind } from './WidgetView';

/** The names of options; widgets tell them apart by their places. */
const options = (state: Record<string, unknown>) => texts(state, '_options_labels');
const asPlace = (value: unknown) => (typeof value === 'number' ? value : null);
const asPlaces = (value: unknown) => (Array.isArray(value) ? value.filter((place) => typeof place === 'number') : []);

const Dropdown: WidgetKind = ({ at, widget }) => {
  const { value, set, disabled } = useControl(at, widget, 'index', asPlace);
  const rows = text(widget.state, '_model_name') === 'SelectModel' ? number(widget.state, 'rows', 5) : undefined;
  return (
    <Labelled widget={widget}>
      {(id, label) => (
        <Select
          id={id}
          aria-label={label}
          size={rows}
          value={value ?? ''}
          disabled={disabled}
          onChange={(event) => set(event.target.value === '' ? null : Number(event.target.value))}
        >
          {value === null && <option value="" />}
          {options(widget.state).map((option, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place
            <option key={place} value={place}>
              {option}
            </option>
          ))}
        </Select>
      )}
    </Labelled>
  );
};

const Several: WidgetKind = ({ at, widget }) => {
  const { value, set, disabled } = useControl(at, widget, 'index', asPlaces);
  return (
    <Labelled widget={widget}>
      {(id, label) => (
        <Select
          id={id}
          aria-label={label}
          multiple
          size={number(widget.state, 'rows', 5)}
          value={value.map(String)}
          disabled={disabled}
          onChange={({ target }) => set([...target.selectedOptions].map((option) => Number(option.value)))}
        >
          {options(widget.state).map((option, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place
            <option key={place} value={place}>
              {option}
            </option>
          ))}
        </Select>
      )}
    </Labelled>
  );
};

const Radios: WidgetKind = ({ at, widget }) => {
  const { value, set, disabled } = useControl(at, widget, 'index', asPlace);
  const name = useId();
  return (
    <fieldset className={styles.radios} disabled={disabled}>
      <legend>{text(widget.state, 'description') || 'Choice'}</legend>
      {options(widget.state).map((option, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place
        <label key={place}>
          <input type="radio" name={name} checked={value === place} onChange={() => set(place)} /> {option}
        </label>
      ))}
    </fieldset>
  );
};

const Toggles: WidgetKind = ({ at, widget }) => {
  const { value, set, disabled } = useControl(at, widget, 'index', asPlace);
  return (
    <fieldset className={styles.control} disabled={disabled}>
      <legend>{text(widget.state, 'description') || 'Choice'}</legend>
      {options(widget.state).map((option, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place
        <Button key={place} aria-pressed={value === place} onClick={() => set(place)}>
          {option}
        </Button>
      ))}
    </fieldset>
  );
};

const SlidChoice: WidgetKind = ({ at, widget }) => {
  const { value, set, disabled } = useControl(at, widget, 'index', asPlace);
  const names = options(widget.state);
  const shown = names[value ?? 0] ?? '';
  return (
    <Labelled widget={widget}>
      {(id, label) => (
        <>
          <input
            id={id}
            aria-label={label}
            type="range"
            min={0}
            max={Math.max(0, names.length - 1)}
            value={value ?? 0}
            aria-valuetext={shown}
            disabled={disabled}
            onChange={(event) => set(Number(event.target.value))}
          />
          <output htmlFor={id}>{shown}</output>
        </>
      )}
    </Labelled>
  );
};

/** One or several of a list. */
export const CHOICES: Record<string, WidgetKind> = {
  DropdownModel: Dropdown,
  SelectModel: Dropdown,
  SelectMultipleModel: Several,
  RadioButtonsModel: Radios,
  ToggleButtonsModel: Toggles,
  SelectionSliderModel: SlidChoice,
};
