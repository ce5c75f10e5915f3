import { Input } from '../../ui/Field';
import { Labelled, Legend } from './Labelled';
import { logarithmic, number, shownNumber, text } from './model';
import { Range } from './Range';
import { useControl } from './tell';
import styles from './Widgets.module.css';
import type { WidgetKind } from './WidgetView';

const asNumber = (value: unknown) => (typeof value === 'number' ? value : 0);

const Slider: WidgetKind = ({ at, widget }) => {
  const { state } = widget;
  const { value, set, disabled } = useControl(at, widget, 'value', asNumber);
  const whole = text(state, '_model_name').startsWith('Int');
  return (
    <Range
      widget={widget}
      place={value}
      min={number(state, 'min', 0)}
      max={number(state, 'max', 100)}
      step={number(state, 'step', whole ? 1 : 0.1) || 'any'}
      words={shownNumber}
      disabled={disabled}
      set={set}
    />
  );
};

const LogSlider: WidgetKind = ({ at, widget }) => {
  const { state } = widget;
  const { value, set, disabled } = useControl(at, widget, 'value', asNumber);
  const base = number(state, 'base', 10);
  return (
    <Range
      widget={widget}
      place={logarithmic.place(base, value || 1)}
      min={number(state, 'min', 0)}
      max={number(state, 'max', 4)}
      step={number(state, 'step', 0.1)}
      words={(place) => shownNumber(logarithmic.value(base, place))}
      disabled={disabled}
      set={(place) => set(logarithmic.value(base, place))}
    />
  );
};

const RangeSlider: WidgetKind = ({ at, widget }) => {
  const { state } = widget;
  const { value, set, disabled } = useControl(at, widget, 'value', (said) =>
    Array.isArray(said) ? [asNumber(said[0]), asNumber(said[1])] : [0, 0],
  );
  const [low = 0, high = 0] = value;
  const ends = [
    { name: 'from', at: low, put: (next: number) => [Math.min(next, high), high] },
    { name: 'to', at: high, put: (next: number) => [low, Math.max(next, low)] },
  ];
  return (
    <fieldset className={styles.control} disabled={disabled}>
      <Legend widget={widget} otherwise="Range" />
      {ends.map((end) => (
        <input
          key={end.name}
          aria-label={end.name}
          type="range"
          min={number(state, 'min', 0)}
          max={number(state, 'max', 100)}
          step={number(state, 'step', 1) || 'any'}
          value={end.at}
          onChange={(event) => set(end.put(Number(event.target.value)))}
        />
      ))}
      <output>
        {shownNumber(low)} – {shownNumber(high)}
      </output>
    </fieldset>
  );
};

const NumberField: WidgetKind = ({ at, widget }) => {
  const { state } = widget;
  const { value, set, disabled } = useControl(at, widget, 'value', asNumber);
  const whole = text(state, '_model_name').includes('Int');
  const bounded = text(state, '_model_name').startsWith('Bounded');
  return (
    <Labelled widget={widget}>
      {(id, label) => (
        <Input
          id={id}
          aria-label={label}
          type="number"
          value={value}
          step={number(state, 'step', whole ? 1 : 0) || 'any'}
          min={bounded ? number(state, 'min', 0) : undefined}
          max={bounded ? number(state, 'max', 100) : undefined}
          disabled={disabled}
          onChange={({ target }) => {
            if (target.value === '' || !target.validity.valid) return;
            set(whole ? Math.round(Number(target.value)) : Number(target.value));
          }}
        />
      )}
    </Labelled>
  );
};

const Progress: WidgetKind = ({ widget: { state } }) => {
  const [min, max] = [number(state, 'min', 0), number(state, 'max', 100)];
  const words = text(state, 'description');
  return (
    <div className={styles.control}>
      {words !== '' && <span>{words}</span>}
      <progress
        aria-label={words || 'Progress'}
        data-look={text(state, 'bar_style') || undefined}
        max={max - min || 1}
        value={number(state, 'value', 0) - min}
      />
    </div>
  );
};

/** Numbers: slid, typed, or only shown. */
export const NUMBERS: Record<string, WidgetKind> = {
  IntSliderModel: Slider,
  FloatSliderModel: Slider,
  FloatLogSliderModel: LogSlider,
  IntRangeSliderModel: RangeSlider,
  FloatRangeSliderModel: RangeSlider,
  IntTextModel: NumberField,
  FloatTextModel: NumberField,
  BoundedIntTextModel: NumberField,
  BoundedFloatTextModel: NumberField,
  IntProgressModel: Progress,
  FloatProgressModel: Progress,
};
