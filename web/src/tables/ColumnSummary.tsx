import { Plain } from '../actions/Plain';
import { Select } from '../ui/Field';
import { sentence } from '../ui/sentence';
import type { ColumnFacts, ColumnNumbers } from '../wire/gen/types';
import styles from './TableView.module.css';
import type { TableFacts, TableReader } from './tableReader';
import { useSummary } from './useSummary';

interface ColumnSummaryProps {
  reader: TableReader;
  facts: TableFacts;
  column: number;
  onColumn(column: number): void;
}

/** The values of a column in the shown rows: their number, their range, the most frequent ones. */
export function ColumnSummary({ reader, facts: { columns, version }, column, onColumn }: ColumnSummaryProps) {
  const { facts, progress, failure } = useSummary(reader.path, reader.view, column, version);
  return (
    <aside className={styles.summary} aria-label="Summary of a column">
      <Select aria-label="Column" value={column} onChange={({ target }) => onColumn(Number(target.value))}>
        {columns.map(({ name }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
          <option key={at} value={at}>
            {name}
          </option>
        ))}
      </Select>
      {facts && <Facts summary={facts} />}
      {failure && (
        <p role="alert">
          <Plain text={sentence(failure.message)} />
        </p>
      )}
      {!facts && !failure && <p role="status">Counting…{progress ? ` ${Math.floor(progress * 100)} %` : ''}</p>}
    </aside>
  );
}

function Facts({ summary: { count, empty, numbers, distinct, top } }: { summary: ColumnFacts }) {
  const facts: [string, string][] = [
    ['Rows', count.toLocaleString('en')],
    ['Empty', empty.toLocaleString('en')],
    ['Distinct', distinct === undefined ? 'more than 10,000' : distinct.toLocaleString('en')],
    ...(numbers
      ? ([
          ['Smallest', shown(numbers.min)],
          ['Mean', shown(numbers.mean)],
          ['Largest', shown(numbers.max)],
        ] as [string, string][])
      : []),
  ];
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {numbers && <Histogram {...numbers} />}
      {!numbers && top.length > 0 && <Frequent top={top} count={count} />}
    </>
  );
}

function Histogram({ bins, min, max }: ColumnNumbers) {
  const most = Math.max(...bins);
  const step = 100 / bins.length;
  return (
    <svg className={styles.histogram} viewBox="0 0 100 40" preserveAspectRatio="none" role="img">
      <title>{`Distribution from ${shown(min)} to ${shown(max)}`}</title>
      {bins.map((bin, at) => {
        const height = (bin / most) * 40;
        // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place.
        return <rect key={at} x={at * step} width={step * 0.9} y={40 - height} height={height} />;
      })}
    </svg>
  );
}

function Frequent({ top, count }: { top: ColumnFacts['top']; count: number }) {
  return (
    <ol className={styles.frequent} aria-label="Most frequent values">
      {top.map(([value, times]) => (
        <li key={value} style={{ '--share': times / count } as React.CSSProperties}>
          <span>
            <Plain text={value.slice(0, 80)} />
          </span>
          <span>{times.toLocaleString('en')}</span>
        </li>
      ))}
    </ol>
  );
}

/** A number with as many digits as say something. */
const shown = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 8 });
