import { type KeyboardEvent, useId, useState } from 'react';
import { OutputView } from '../Outputs';
import { children, number, texts } from './model';
import styles from './Widgets.module.css';
import { Child, type WidgetKind } from './WidgetView';

function box(look: string | undefined): WidgetKind {
  return ({ at, widget }) => (
    <div className={look}>
      {children(widget.state).map((id) => (
        <Child key={id} at={at} id={id} />
      ))}
    </div>
  );
}

/** What is on which page; the words are the pages' titles, which older widgets keep by number. */
function pagesOf(state: Record<string, unknown>): { id: string; title: string }[] {
  const titles = texts(state, 'titles');
  const older = (state._titles ?? {}) as Record<string, unknown>;
  return children(state).map((id, at) => ({ id, title: titles[at] || String(older[at] ?? `${at + 1}`) }));
}

const Tabs: WidgetKind = ({ at, widget }) => {
  const pages = pagesOf(widget.state);
  const [chosen, choose] = useState(() => number(widget.state, 'selected_index', 0));
  const base = useId();
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLElement>) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    const next = (chosen + step + pages.length) % pages.length;
    if (step === 0) return;
    choose(next);
    currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div className={styles.column}>
      <div role="tablist" className={styles.row} onKeyDown={onKeyDown}>
        {pages.map(({ id, title }, place) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${place}`}
            className={styles.tab}
            aria-selected={place === chosen}
            aria-controls={`${base}-page`}
            tabIndex={place === chosen ? 0 : -1}
            onClick={() => choose(place)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-page`} aria-labelledby={`${base}-${chosen}`}>
        {pages[chosen] && <Child at={at} id={pages[chosen].id} />}
      </div>
    </div>
  );
};

const Accordion: WidgetKind = ({ at, widget }) => (
  <div className={styles.column}>
    {pagesOf(widget.state).map(({ id, title }, place) => (
      <details key={id} open={number(widget.state, 'selected_index', -1) === place}>
        <summary>{title}</summary>
        <Child at={at} id={id} />
      </details>
    ))}
  </div>
);

const Stack: WidgetKind = ({ at, widget }) => {
  const id = children(widget.state)[number(widget.state, 'selected_index', -1)];
  return id === undefined ? null : <Child at={at} id={id} />;
};

/** What code put out into a place of its own. */
const Output: WidgetKind = ({ at, widget }) => (
  <div className={styles.column}>
    {widget.outputs.map((output, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: an output is its place
      <OutputView key={place} at={{ ...at, output: null }} output={output} trusted={widget.live} />
    ))}
  </div>
);

/** What holds others. */
export const LAYOUTS: Record<string, WidgetKind> = {
  HBoxModel: box(styles.row),
  VBoxModel: box(styles.column),
  BoxModel: box(styles.row),
  GridBoxModel: box(styles.row),
  TabModel: Tabs,
  AccordionModel: Accordion,
  StackModel: Stack,
  OutputModel: Output,
};
