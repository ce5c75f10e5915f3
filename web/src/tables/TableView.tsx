import { useState } from 'react';
import { useShell } from '../app/shell';
import { Button } from '../ui/Button';
import { Input } from '../ui/Field';
import { Unshown } from '../viewers/Unshown';
import { useWay } from '../viewers/useWay';
import styles from '../viewers/Viewer.module.css';
import { ViewerBar } from '../viewers/ViewerBar';
import { countWords, sizeWords } from '../viewers/words';
import type { TableOrder } from '../wire/gen/types';
import { ColumnSummary } from './ColumnSummary';
import { type Filters, UNFILTERED, viewOf } from './filters';
import { Grid } from './Grid';
import table from './TableView.module.css';
import type { TableFacts } from './tableReader';
import { useTable } from './useTable';

/** A file as a table: rows in sight, sorted, filtered, and what is in a column. The server reads it, in parts. */
export default function TableView({ path, tab }: { path: string; tab: string }) {
  const hasSource = useWay(path).ways.includes('source');
  const narrow = useShell((state) => state.width === 'narrow');
  const [header, setHeader] = useState<boolean | null>(null);
  const [order, setOrder] = useState<TableOrder | null>(null);
  const [filters, setFilters] = useState<Filters>(UNFILTERED);
  const [filtering, setFiltering] = useState(false);
  const [summary, setSummary] = useState<number | null>(null);
  const { reader, work } = useTable(path, viewOf(header, order, filters));
  if (reader?.failure) {
    const { message, hint } = reader.failure;
    return <Unshown path={path} message={message} hint={hint} hasSource={hasSource} />;
  }
  const facts = reader?.facts;
  if (!reader || !facts) return <div className={styles.view} aria-busy="true" />;
  if (facts.progress === 1 && facts.total === 0 && !facts.header)
    return <Unshown path={path} message="The table is empty." hasSource={hasSource} />;
  const { columns } = facts;
  return (
    <div className={styles.view}>
      <ViewerBar path={path} facts={factsOf(facts, work)}>
        {hasSource && (
          <Button
            look="quiet"
            aria-pressed={facts.header}
            onClick={() => setHeader(!facts.header)}
            title="The first row names the columns"
          >
            Header
          </Button>
        )}
        <Button
          look="quiet"
          aria-pressed={filtering}
          onClick={() => {
            setFiltering(!filtering);
            if (filtering) setFilters(UNFILTERED);
          }}
        >
          Filters
        </Button>
        <Button look="quiet" aria-pressed={summary !== null} onClick={() => setSummary(summary === null ? 0 : null)}>
          Summary
        </Button>
        <Input
          className={table.search}
          type="search"
          aria-label="Filter rows"
          placeholder="Filter rows"
          value={filters.anywhere}
          onChange={({ target }) => setFilters({ ...filters, anywhere: target.value })}
        />
      </ViewerBar>
      <Warnings facts={facts} />
      <div className={table.parts} data-narrow={narrow || undefined}>
        <Grid
          key={String(facts.header)}
          label={`Rows of ${path.slice(path.lastIndexOf('/') + 1)}`}
          tab={tab}
          reader={reader}
          columns={columns}
          count={facts.count}
          order={order}
          onOrder={setOrder}
          onColumn={(column) => summary !== null && setSummary(column)}
          filters={filtering ? filters.columns : null}
          onFilter={(column, text) => setFilters({ ...filters, columns: { ...filters.columns, [column]: text } })}
        />
        {summary !== null && (
          <ColumnSummary
            reader={reader}
            facts={facts}
            column={Math.min(summary, columns.length - 1)}
            onColumn={setSummary}
          />
        )}
      </div>
    </div>
  );
}

function factsOf({ size, progress, columns, count, total }: TableFacts, work: number | null): string {
  const rows =
    count === total ? countWords(total, 'row') : `${count.toLocaleString('en')} of ${countWords(total, 'row')}`;
  const reading = progress < 1 ? ` · reading, ${Math.floor(progress * 100)} %` : '';
  const working = work === null ? '' : ` · working, ${Math.floor(work * 100)} %`;
  return `${rows} · ${countWords(columns.length, 'column')} · ${sizeWords(size)}${reading}${working}`;
}

function Warnings({ facts: { encoding, not_utf8, open_quote, cut, more_columns, columns } }: { facts: TableFacts }) {
  const row = (number: number) => `row ${number.toLocaleString('en')}`;
  const said = [
    encoding !== 'UTF-8' && `The file is read as ${encoding}.`,
    not_utf8 !== undefined &&
      `From ${row(not_utf8)} of the file on, fields that are not UTF-8 are read as Windows-1252.`,
    open_quote !== undefined && `A quote in ${row(open_quote)} of the file never ends: it is read as a letter.`,
    cut !== undefined && `From ${row(cut)} of the file on, only the first megabyte of each row is read.`,
    more_columns && `Only the first ${columns.length.toLocaleString('en')} columns are shown.`,
  ].filter((each) => each !== false);
  if (said.length === 0) return null;
  return (
    <p className={styles.warning} role="status">
      {said.join(' ')}
    </p>
  );
}
