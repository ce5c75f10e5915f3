import { type ReactNode, useId } from 'react';
import { text, type Widget } from './model';
import styles from './Widgets.module.css';

interface LabelledProps {
  widget: Widget;
  /** Gets the id that ties the control to its words, and the words if there are none to tie it to. */
  children(id: string, label: string | undefined): ReactNode;
}

/** A control with its words before it. */
export function Labelled({ widget, children }: LabelledProps) {
  const id = useId();
  const words = text(widget.state, 'description');
  const tip = text(widget.state, 'tooltip') || text(widget.state, 'description_tooltip');
  return (
    <div className={styles.control} title={tip || undefined}>
      {words !== '' && <label htmlFor={id}>{words}</label>}
      {children(id, words === '' ? tip || text(widget.state, 'placeholder') || 'Value' : undefined)}
    </div>
  );
}

/** The words before several controls that are one; those that code gave none are named for who hears them. */
export function Legend({ widget, otherwise }: { widget: Widget; otherwise: string }) {
  const words = text(widget.state, 'description');
  return <legend className={words === '' ? 'visually-hidden' : undefined}>{words || otherwise}</legend>;
}
