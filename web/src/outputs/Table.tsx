import { useState } from 'react';
import { Button } from '../ui/Button';
import styles from './Table.module.css';
import { cellText, rangeWords, type Table as TableData, tableOf } from './table';

const PAGE = 50;

/** A table in pages, such as what an SQL cell puts out. */
export default function Table({ value }: { value: unknown }) {
  const table = tableOf(value);
  if (!table) return <p>Couldn’t read this table.</p>;
  return <Pages table={table} />;
}

function Pages({ table }: { table: TableData }) {
  const { columns, rows, count, variable } = table;
  const [page, setPage] = useState(0);
  const last = Math.max(0, Math.ceil(rows.length / PAGE) - 1);
  const from = Math.min(page, last) * PAGE;
  const shown = rows.slice(from, from + PAGE);
  return (
    <div className={styles.table}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard has to reach that. */}
      <section className={styles.scroll} tabIndex={0} aria-label="Table">
        <table>
          <thead>
            <tr>
              {columns.map(({ name, type }) => (
                <th key={name} scope="col" title={type} data-number={isNumber(type) || undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name but its place.
              <tr key={from + at}>
                {columns.map(({ name, type }) => (
                  <td key={name} data-number={isNumber(type) || undefined} data-null={row[name] === null || undefined}>
                    {cellText(row[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className={styles.foot}>
        <span role="status">{rangeWords(from, shown.length, rows.length, count, variable)}</span>
        {last > 0 && (
          <>
            <Button look="quiet" disabled={from === 0} onClick={() => setPage(from / PAGE - 1)}>
              Previous
            </Button>
            <Button look="quiet" disabled={from / PAGE >= last} onClick={() => setPage(from / PAGE + 1)}>
              Next
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

const isNumber = (type: string): boolean => type === 'integer' || type === 'number';
