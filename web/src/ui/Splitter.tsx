import type { KeyboardEvent, PointerEvent } from 'react';
import styles from './Splitter.module.css';

interface SplitterProps {
  /** What its position is: "Width of the file list". */
  label: string;
  /** The size before it (after it when `reversed`), in the unit of `min` and `max`. */
  value: number;
  min: number;
  max: number;
  /** How far an arrow key moves it. */
  step?: number;
  /** Units per pixel; 1 when sizes are pixels. */
  scale?: () => number;
  /** A bar that lies flat moves up and down. */
  flat?: boolean;
  reversed?: boolean;
  onChange(value: number): void;
  /** What Enter does. */
  onCollapse?(): void;
}

/** The bar between two regions: drag it, or arrows, Home, End and Enter. */
export function Splitter(props: SplitterProps) {
  const { label, value, min, max, flat } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator is a widget, an <hr> is not
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={flat ? 'horizontal' : 'vertical'}
      aria-valuenow={Math.round(value)}
      aria-valuemin={Math.round(min)}
      aria-valuemax={Math.round(max)}
      className={flat ? `${styles.splitter} ${styles.flat}` : styles.splitter}
      onPointerDown={(event) => drag(event, props)}
      onKeyDown={(event) => onKey(event, props)}
    />
  );
}

function drag(event: PointerEvent<HTMLElement>, props: SplitterProps): void {
  if (event.button !== 0) return;
  event.preventDefault();
  const bar = event.currentTarget;
  const at = (moved: { clientX: number; clientY: number }) => (props.flat ? moved.clientY : moved.clientX);
  const start = at(event);
  const scale = props.scale?.() ?? 1;
  const onMove = (moved: globalThis.PointerEvent) => {
    const by = (at(moved) - start) * scale * (props.reversed ? -1 : 1);
    props.onChange(within(props.value + by, props));
  };
  bar.setPointerCapture(event.pointerId);
  bar.addEventListener('pointermove', onMove);
  bar.addEventListener('lostpointercapture', () => bar.removeEventListener('pointermove', onMove), { once: true });
}

function onKey(event: KeyboardEvent, props: SplitterProps): void {
  const { value, min, max, flat, step = 16 } = props;
  const forward = (flat ? 'ArrowDown' : 'ArrowRight') === event.key;
  const backward = (flat ? 'ArrowUp' : 'ArrowLeft') === event.key;
  const by = step * (forward ? 1 : -1) * (props.reversed ? -1 : 1);
  if (forward || backward) props.onChange(within(value + by, props));
  else if (event.key === 'Home') props.onChange(min);
  else if (event.key === 'End') props.onChange(max);
  else if (event.key === 'Enter' && props.onCollapse) props.onCollapse();
  else return;
  event.preventDefault();
}

function within(value: number, { min, max }: SplitterProps): number {
  return Math.min(max, Math.max(min, value));
}
