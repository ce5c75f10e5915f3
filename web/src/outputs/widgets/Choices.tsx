import { useId } from 'react';
import { Select } from '../../ui/Field';
import { Labelled, Legend } from './Labelled';
import { Marked } from './Marked';
import { number, text, texts } from './model';
import { Range } from './Range';
import { useControl } from './tell';
import styles from './Widgets.module.css';
import type { WidgetKind } from './WidgetView';

/** The names of options; widgets tell them apart by their places. */
const options = (state: Record<string, unknown>) => texts(state, '_options_labels');
const asPlace = (value: unknown) => (typeof value === 'number' ? value : null);
const asPlaces = (value: unknown) => (Array.isArray(value) ? value.filter((place) => typeof place === 'number') : []);

/** All of them, each by its place. */
function Options({ state }: { state: Record<string, unknown> }) {
  return options(state).map((option, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place
    <option key={place} value={place}>
      {option}
    </option>
  ));
}

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
          <Options state={widget.state} />
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
          <Options state={widget.state} />
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
      <Legend widget={widget} otherwise="Choice" />
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
  const [icons, tips] = [texts(widget.state, 'icons'), texts(widget.state, 'tooltips')];
  return (
    <fieldset className={styles.control} disabled={disabled}>
      <Legend widget={widget} otherwise="Choice" />
      {options(widget.state).map((option, place) => (
        <Marked
          // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place
          key={place}
          tone={text(widget.state, 'button_style')}
          icon={icons[place] ?? ''}
          words={option}
          otherwise={`${place + 1}`}
          title={tips[place] || undefined}
          aria-pressed={value === place}
          onClick={() => set(place)}
        />
      ))}
    </fieldset>
  );
};

const SlidChoice: WidgetKind = ({ at, widget }) => {
  const { value, set, disabled } = useControl(at, widget, 'index', asPlace);
  const names = options(widget.state);
  return (
    <Range
      widget={widget}
      place={value ?? 0}
      min={0}
      max={Math.max(0, names.length - 1)}
      step={1}
      words={(place) => names[place] ?? ''}
      disabled={disabled}
      set={set}
    />
  );
};

/** Two of a list in order: from one to the other. */
const SlidChoices: WidgetKind = ({ at, widget }) => {
  const { value, set, disabled } = useControl(at, widget, 'index', asPlaces);
  const names = options(widget.state);
  const [from = 0, to = from] = value;
  const last = Math.max(0, names.length - 1);
  const ends = [
    { name: 'from', at: from, put: (next: number) => [Math.min(next, to), to] },
    { name: 'to', at: to, put: (next: number) => [from, Math.max(next, from)] },
  ];
  return (
    <fieldset className={styles.control} disabled={disabled}>
      <Legend widget={widget} otherwise="Range" />
      {ends.map((end) => (
        <input
          key={end.name}
          aria-label={end.name}
          type="range"
          min={0}
          max={last}
          value={end.at}
          aria-valuetext={names[end.at] ?? ''}
          onChange={(event) => set(end.put(Number(event.target.value)))}
        />
      ))}
      <output>
        {names[from] ?? ''} – {names[to] ?? ''}
      </output>
    </fieldset>
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
  SelectionRangeSliderModel: SlidChoices,
};
