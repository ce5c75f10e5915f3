import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useStore } from 'zustand';
import { notebookMetadata, parsed } from '../../notebook/cells';
import { useNotebook } from '../../notebook/view';
import type { Display } from '../mime';
import { textOf } from '../mime';
import type { OutputPlace } from '../Outputs';
import { Terminal } from '../Terminal';
import { CHOICES } from './Choices';
import { FIELDS } from './Fields';
import { FILES } from './Files';
import { LAYOUTS } from './Layouts';
import { MOMENTS_AND_PLAY } from './Moments';
import { inFile, kindOf, type Widget } from './model';
import { NUMBERS } from './Numbers';
import { STILL } from './Still';
import styles from './Widgets.module.css';

/** What draws a kind of widget. */
export type WidgetKind = (props: { at: OutputPlace; widget: Widget }) => ReactNode;

const KINDS: Record<string, WidgetKind> = {
  ...NUMBERS,
  ...FIELDS,
  ...FILES,
  ...CHOICES,
  ...LAYOUTS,
  ...STILL,
  ...MOMENTS_AND_PLAY,
};

/** How deep widgets may lie in one another: one that holds itself has no end. */
const DEEPEST = 30;
const Depth = createContext(0);

/** The view of a widget that an output names: live, or as the file keeps it, else in words. */
export default function WidgetView({ at, model, output }: { at: OutputPlace; model: string; output: Display }) {
  const widget = useWidget(model);
  const words = textOf(output.data['text/plain']);
  if (widget && kindOf(widget) in KINDS) {
    return (
      <div className={styles.view} data-own>
        <Child at={at} id={model} />
        {!widget.live && <p className={styles.note}>Saved state. Run the cell to use this widget.</p>}
      </div>
    );
  }
  return (
    <>
      {words !== '' && <Terminal text={words} label="Result" />}
      <p className={styles.note}>
        {widget ? unknown(widget) : 'The kernel of this widget has ended. Run the cell to recreate it.'}
      </p>
    </>
  );
}

const unknown = (widget: Widget) => `This widget (${kindOf(widget) || 'unnamed'}) is not supported.`;

/** A widget inside another one. */
export function Child({ at, id }: { at: OutputPlace; id: string }) {
  const depth = useContext(Depth);
  const widget = useWidget(id);
  const Kind = widget ? KINDS[kindOf(widget)] : undefined;
  if (!widget || depth > DEEPEST) return null;
  if (!Kind) return <p className={styles.note}>{unknown(widget)}</p>;
  return (
    <Depth value={depth + 1}>
      <Kind at={at} widget={widget} />
    </Depth>
  );
}

/** A widget by its id; null if nothing is known of it. */
export function useWidget(id: string): Widget | null {
  const { runs, observed } = useNotebook();
  const model = useStore(runs, ({ widgets }) => widgets.get(id));
  return useMemo(() => {
    if (model) return { ...model, live: true };
    return inFile(parsed(notebookMetadata(observed.doc, 'widgets')), id);
  }, [model, observed, id]);
}
