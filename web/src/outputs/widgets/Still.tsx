import { lazy, Suspense } from 'react';
import { bytes, number, text } from './model';
import styles from './Widgets.module.css';
import type { WidgetKind } from './WidgetView';

const Html = lazy(() => import('../Html'));
const Markdown = lazy(() => import('../../markdown/Markdown'));

/** Its words before what it shows. */
function Words({ state }: { state: Record<string, unknown> }) {
  const words = text(state, 'description');
  return words === '' ? null : <span>{words}</span>;
}

const Label: WidgetKind = ({ widget: { state } }) => (
  <div className={styles.control}>
    <Words state={state} />
    {/\$[^$]+\$/.test(text(state, 'value')) ? (
      <Suspense fallback={text(state, 'value')}>
        <Markdown text={text(state, 'value')} />
      </Suspense>
    ) : (
      <span>{text(state, 'value')}</span>
    )}
  </div>
);

/** Markup without anything that could run. */
const Markup: WidgetKind = ({ widget: { state } }) => (
  <div className={styles.control}>
    <Words state={state} />
    {text(state, 'value') !== '' && (
      <Suspense fallback={null}>
        <Html text={text(state, 'value')} />
      </Suspense>
    )}
  </div>
);

const Image: WidgetKind = ({ widget }) => {
  const { state } = widget;
  const data = bytes(widget, 'value');
  const size = (name: string) => number(state, name, Number(text(state, name))) || undefined;
  if (data === null || !/^(png|jpe?g|gif|webp|bmp)$/.test(text(state, 'format'))) return null;
  return (
    <img
      className={styles.picture}
      src={`data:image/${text(state, 'format').replace('jpg', 'jpeg')};base64,${data}`}
      alt={text(state, 'tooltip') || 'Image output of the cell'}
      width={size('width')}
      height={size('height')}
    />
  );
};

/** What only shows something. */
export const STILL: Record<string, WidgetKind> = {
  LabelModel: Label,
  HTMLModel: Markup,
  HTMLMathModel: Markup,
  ImageModel: Image,
};
