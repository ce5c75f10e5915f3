// biome-ignore-all lint/a11y/useSemanticElements: a table of the browser lays out all of its rows.
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons have the keyboard.
import { Plain } from '../actions/Plain';
import { Input } from '../ui/Field';
import { Icon } from '../ui/Icon';
import type { TableColumn, TableOrder } from '../wire/gen/types';
import type { GridProps } from './Grid';
import { box, NUMBERS } from './gridPlaces';
import styles from './TableView.module.css';

/** The most letters of a field in its cell. */
const SHOWN = 200;

/** A field as its cell shows it. */
export const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

interface HeadProps extends GridProps {
  visible: readonly { column: TableColumn; number: number }[];
  lefts: readonly number[];
  width: number;
  height: number;
}

/** The names of the columns; a press sorts by one, a second the other way, a third not at all. */
export function GridHead({ visible, lefts, width, height, order, onOrder, filters, onFilter }: HeadProps) {
  return (
    <div role="rowgroup" className={styles.head} style={{ height, width }}>
      <div role="row" aria-rowindex={1}>
        <div role="columnheader" className={styles.number} style={{ width: NUMBERS, height }}>
          <span className="visually-hidden">Row</span>
        </div>
        {visible.map(({ column: { name, kind }, number }) => {
          const sorted = order?.column === number ? order : null;
          return (
            <div
              key={number}
              role="columnheader"
              aria-colindex={number + 2}
              aria-sort={sorted ? (sorted.descending ? 'descending' : 'ascending') : 'none'}
              className={styles.heading}
              data-kind={kind}
              style={{ ...box(lefts, number), height }}
            >
              <button type="button" title={`Sort by ${name}`} onClick={() => onOrder(nextOrder(number, sorted))}>
                <span>
                  <Plain text={cut(name)} />
                </span>
                {sorted && <Icon name={sorted.descending ? 'chevronDown' : 'chevronUp'} size={12} />}
              </button>
              {filters && (
                <Input
                  aria-label={`Filter ${name}`}
                  placeholder="text, =, !, >, <"
                  value={filters[number] ?? ''}
                  onChange={({ target }) => onFilter(number, target.value)}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function nextOrder(column: number, now: TableOrder | null): TableOrder | null {
  if (!now) return { column, descending: false };
  return now.descending ? null : { column, descending: true };
}
