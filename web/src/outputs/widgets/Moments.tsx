import { useEffect, useRef } from 'react';
import { IconButton } from '../../ui/Button';
import { Input } from '../../ui/Field';
import { fromField, type Moment, toField } from './dates';
import { Labelled } from './Labelled';
import { kindOf, number, shownNumber, text } from './model';
import { useControl } from './tell';
import styles from './Widgets.module.css';
import type { WidgetKind } from './WidgetView';

const MOMENTS: Record<string, { readonly moment: Moment; readonly utc: boolean }> = {
  DatePickerModel: { moment: 'date', utc: false },
  TimePickerModel: { moment: 'time', utc: false },
  NaiveDatetimePickerModel: { moment: 'datetime-local', utc: false },
  DatetimePickerModel: { moment: 'datetime-local', utc: true },
};

const Picker: WidgetKind = ({ at, widget }) => {
  const { moment, utc } = MOMENTS[kindOf(widget)] ?? { moment: 'date', utc: false };
  const { value, set, disabled } = useControl<unknown>(at, widget, 'value', (said) => said);
  const end = (name: string) => toField(widget.state[name], moment, utc) || undefined;
  return (
    <Labelled widget={widget}>
      {(id, label) => (
        <Input
          id={id}
          aria-label={label}
          type={moment}
          value={toField(value, moment, utc)}
          min={end('min')}
          max={end('max')}
          disabled={disabled}
          onChange={(event) => event.target.validity.valid && set(fromField(event.target.value, moment, utc))}
        />
      )}
    </Labelled>
  );
};

/** Milliseconds between two steps, at the least: each is a message to the kernel. */
const SHORTEST = 50;

/** A number that goes on by itself. The window where it was begun counts; the others show it, and can stop it. */
const Play: WidgetKind = ({ at, widget }) => {
  const { state } = widget;
  const asNumber = (said: unknown) => (typeof said === 'number' ? said : 0);
  const { value, set, disabled } = useControl(at, widget, 'value', asNumber);
  const playing = useControl(at, widget, 'playing', (said) => said === true);
  const repeat = useControl(at, widget, 'repeat', (said) => said === true);
  const begunHere = useRef(false);
  const [min, max, step] = [number(state, 'min', 0), number(state, 'max', 100), number(state, 'step', 1) || 1];
  const next = value + step <= max ? value + step : repeat.value ? min : null;
  const goOn = () => {
    if (next !== null) return set(next);
    begunHere.current = false;
    playing.set(false);
  };
  const latest = useRef(goOn);
  latest.current = goOn;
  const runs = playing.value && begunHere.current;
  const pause = Math.max(SHORTEST, number(state, 'interval', 100));
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => latest.current(), pause);
    return () => clearInterval(timer);
  }, [runs, pause]);
  const play = (on: boolean) => {
    begunHere.current = on;
    if (on && value + step > max) set(min);
    playing.set(on);
  };
  const words = text(state, 'description');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons is no form
    <div className={styles.control} role="group" aria-label={words || 'Play'}>
      {words !== '' && <span>{words}</span>}
      <IconButton
        icon={playing.value ? 'pause' : 'play'}
        label={playing.value ? 'Pause' : 'Play'}
        disabled={disabled}
        onClick={() => play(!playing.value)}
      />
      <IconButton
        icon="stop"
        label="Back to start"
        disabled={disabled}
        onClick={() => {
          play(false);
          set(min);
        }}
      />
      {state.show_repeat !== false && (
        <IconButton
          icon="retry"
          label="Repeat"
          aria-pressed={repeat.value}
          disabled={disabled}
          onClick={() => repeat.set(!repeat.value)}
        />
      )}
      <output>{shownNumber(value)}</output>
    </div>
  );
};

/** Days, times, and what goes on with them. */
export const MOMENTS_AND_PLAY: Record<string, WidgetKind> = {
  ...Object.fromEntries(Object.keys(MOMENTS).map((kind) => [kind, Picker])),
  PlayModel: Play,
};
