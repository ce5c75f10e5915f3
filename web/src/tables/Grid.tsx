// biome-ignore-all lint/a11y/useSemanticElements: a table of the browser lays out all of its rows.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the keyboard, and names its cell.
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Plain } from '../actions/Plain';
import { useArrival } from '../frames/useArrival';
import { announce } from '../ui/Announcer';
import { useVirtualRows } from '../ui/virtualRows';
import type { ReadCell, TableCell, TableColumn, TableOrder } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { cut, GridHead } from './GridHead';
import { box, type CellPlace, cellAfter, leftsOf, NUMBERS, revealColumn } from './gridPlaces';
import styles from './TableView.module.css';
import type { TableReader } from './tableReader';

/** A table and what is asked of it. */
export interface GridProps {
  label: string;
  tab: string;
  reader: TableReader;
  columns: readonly TableColumn[];
  /** The rows that are shown. */
  count: number;
  order: TableOrder | null;
  onOrder(order: TableOrder | null): void;
  onColumn(column: number): void;
  /** The texts typed over the columns; null without fields for them. */
  filters: Readonly<Record<number, string>> | null;
  onFilter(column: number, text: string): void;
}

/** Pixels of a row. */
const ROW = 24;

/** Rows and columns of a table, of which only those in sight are drawn. Arrows walk the cells, `Ctrl-C` copies one. */
export function Grid(props: GridProps) {
  const { label, tab, reader, columns, count, filters, onColumn } = props;
  const head = filters ? 2 * ROW + 8 : ROW;
  const view = useVirtualRows<HTMLDivElement>(count, ROW, head);
  const lefts = useMemo(() => leftsOf(columns), [columns]);
  const [first, last] = useColumnsInSight(view.scroller, lefts);
  const [at, setAt] = useState<CellPlace | null>(null);
  useArrival(tab, () => view.scroller.current);
  useEffect(() => {
    reader.want({ first: view.first, end: view.end, left: first, right: last });
  }, [reader, view.first, view.end, first, last]);
  const go = (place: CellPlace) => {
    const next = { row: clamp(place.row, count), column: clamp(place.column, columns.length) };
    setAt(next);
    view.reveal(next.row);
    revealColumn(view.scroller.current, lefts, next.column);
    onColumn(next.column);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && event.key === 'c' && at && getSelection()?.isCollapsed) {
      void copy(reader, at);
    } else {
      const next = cellAfter(event, at ?? { row: -1, column: 0 }, view.page, count, columns.length);
      if (!next) return;
      go(next);
    }
    event.preventDefault();
  };
  const width = lefts[columns.length] as number;
  const visible = columns.slice(first, last).map((column, index) => ({ column, number: first + index }));
  const cells = (row: number): ReactNode => {
    return visible.map(({ column, number }) => (
      <div
        key={number}
        id={`${tab}-cell-${row}-${number}`}
        role="gridcell"
        aria-colindex={number + 2}
        className={styles.cell}
        data-column={number}
        data-kind={column.kind}
        style={box(lefts, number)}
      >
        <Plain text={cut(reader.field(row, number) ?? '')} />
      </div>
    ));
  };
  return (
    <div className={styles.box}>
      <div
        ref={view.scroller}
        role="grid"
        tabIndex={0}
        className={styles.grid}
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={at ? `${tab}-cell-${at.row}-${at.column}` : undefined}
        onKeyDown={onKeyDown}
        onClick={({ target }) => {
          const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
          const row = cell?.closest<HTMLElement>('[data-row]');
          if (cell && row) go({ row: Number(row.dataset.row), column: Number(cell.dataset.column) });
        }}
      >
        <GridHead {...props} visible={visible} lefts={lefts} width={width} height={head} />
        <div role="rowgroup" className={styles.rows} style={{ height: view.height, width }}>
          {Array.from({ length: Math.max(0, view.end - view.first) }, (_, index) => {
            const place = view.first + index;
            const number = reader.numberOf(place);
            return (
              <div
                key={place}
                role="row"
                className={styles.row}
                aria-rowindex={place + 2}
                data-row={place}
                aria-busy={number === undefined || undefined}
                data-at={at?.row === place || undefined}
                style={
                  { top: view.before + index * ROW, width, '--at': at?.row === place ? at.column : -1 } as CSSProperties
                }
              >
                <div role="rowheader" className={styles.number} style={{ width: NUMBERS }}>
                  {number !== undefined && (number + 1).toLocaleString('en')}
                </div>
                {cells(place)}
                {at?.row === place && <div className={styles.at} style={box(lefts, at.column)} />}
              </div>
            );
          })}
        </div>
      </div>
      {at && (
        <CellText
          name={columns[at.column]?.name ?? ''}
          text={reader.field(at.row, at.column) ?? ''}
          number={reader.numberOf(at.row)}
        />
      )}
    </div>
  );
}

/** All of the cell that is looked at. */
function CellText({ name, text, number }: { name: string; text: string; number: number | undefined }) {
  return (
    <div className={styles.text}>
      <span className={styles.textName}>
        <Plain text={name} />
        {number !== undefined && `, row ${(number + 1).toLocaleString('en')}`}
      </span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard has to reach that. */}
      <pre tabIndex={0}>
        <Plain text={text} />
      </pre>
    </div>
  );
}

const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));

/** The columns in sight: from one up to, not including, another. */
function useColumnsInSight(
  scroller: { readonly current: HTMLElement | null },
  lefts: readonly number[],
): [number, number] {
  const [sight, setSight] = useState({ left: 0, width: 4000 });
  const last = useRef(sight);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const now = { left: element.scrollLeft, width: element.clientWidth };
      if (now.left === last.current.left && now.width === last.current.width) return;
      last.current = now;
      setSight(now);
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      sizes.disconnect();
    };
  }, [scroller]);
  const count = lefts.length - 1;
  const first = Math.max(0, lefts.findIndex((left) => left > sight.left) - 2);
  const after = lefts.findIndex((left) => left > sight.left + sight.width);
  return [Math.min(first, count), after < 0 ? count : Math.min(count, after + 1)];
}

/** Copies a field; a long one is read as a whole first. */
async function copy(reader: TableReader, { row: place, column }: CellPlace): Promise<void> {
  const [row, shown] = [reader.numberOf(place), reader.field(place, column)];
  if (row === undefined || shown === undefined) return;
  try {
    const body: ReadCell = { path: reader.path, row, column, ...(reader.facts && { header: reader.facts.header }) };
    const text = shown.endsWith('…') ? (await request<TableCell>('POST', 'tables/cell', body)).text : shown;
    await navigator.clipboard.writeText(text);
    announce('Copied');
  } catch (error) {
    announce(`Not copied: ${failureOf(error).message}`);
  }
}
