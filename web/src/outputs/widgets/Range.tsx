import { type KeyboardEvent, useState } from 'react';
import { Labelled } from './Labelled';
import type { Widget } from './model';

interface RangeProps {
  widget: Widget;
  /** Where it stands on its scale. */
  place: number;
  min: number;
  max: number;
  step: number | 'any';
  /** What a place means, in words. */
  words(place: number): string;
  disabled: boolean;
  set(place: number): void;
}

/** Something that is slid along a scale, with its words before it and what it stands at after it. */
export function Range({ widget, place, min, max, step, words, disabled, set }: RangeProps) {
  const { value, slid, rest } = useRest(place, widget.state.continuous_update === false, set);
  const said = words(value);
  return (
    <Labelled widget={widget}>
      {(id, label) => (
        <>
          <input
            id={id}
            aria-label={label}
            type="range"
            min={min}
            max={max}
            step={step}
            value={value}
            aria-valuetext={said}
            disabled={disabled}
            onChange={(event) => slid(Number(event.target.value))}
            {...rest}
          />
          {widget.state.readout !== false && <output htmlFor={id}>{said}</output>}
        </>
      )}
    </Labelled>
  );
}

const NOTHING = { onPointerUp: undefined, onBlur: undefined, onKeyUp: undefined };

/** What a person does to a control; where the code wants to hear of it only when they are through, it is told then. */
export function useRest<T>(value: T, later: boolean, set: (value: T) => void) {
  const [own, setOwn] = useState<{ value: T } | null>(null);
  const end = () => {
    if (own === null) return;
    set(own.value);
    setOwn(null);
  };
  const ends = {
    onPointerUp: end,
    onBlur: end,
    onKeyUp: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key === 'Enter' || event.currentTarget.matches('[type=range]')) end();
    },
  };
  return {
    value: own ? own.value : value,
    slid: later ? (next: T) => setOwn({ value: next }) : set,
    rest: later ? ends : NOTHING,
  };
}
