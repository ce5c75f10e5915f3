import { useMemo, useState } from 'react';
import { useShell } from '../app/shell';
import { Button } from '../ui/Button';
import { Input } from '../ui/Field';
import { Unshown } from '../viewers/Unshown';
import styles from '../viewers/Viewer.module.css';
import { ViewerBar } from '../viewers/ViewerBar';
import { countWords, sizeWords } from '../viewers/words';
import { ColumnSummary } from './ColumnSummary';
import { Grid } from './Grid';
import { MOST_COLUMNS, type Order } from './sheet';
import table from './TableView.module.css';
import { type Filters, UNFILTERED, useRows } from './useRows';
import { type OpenSheet, useSheet } from './useSheet';

/** A file of delimited text as a table: rows in sight, sorted, filtered, and what is in a column. */
export default function TableView({ path, tab }: { path: string; tab: string }) {
  const { open, failure } = useSheet(path);
  if (failure) return <Unshown path={path} message={failure.message} hint={failure.hint} hasSource />;
  if (!open) return <div className={styles.view} aria-busy="true" />;
  if (open.progress === 1 && open.count === 0) return <Unshown path={path} message="The file is empty." hasSource />;
  return <Opened path={path} tab={tab} open={open} />;
}

function Opened({ path, tab, open }: { path: string; tab: string; open: OpenSheet }) {
  const { sheet, count, progress } = open;
  const narrow = useShell((state) => state.width === 'narrow');
  const [headerChosen, setHeader] = useState<boolean | null>(null);
  const header = headerChosen ?? sheet.guessHeader();
  const from = header ? 1 : 0;
  const [order, setOrder] = useState<Order | null>(null);
  const [filters, setFilters] = useState<Filters>(UNFILTERED);
  const [filtering, setFiltering] = useState(false);
  const [summary, setSummary] = useState<number | null>(null);
  // The first rows say enough; more of them move nothing.
  const known = Math.min(count, 200);
  // biome-ignore lint/correctness/useExhaustiveDependencies: known rows are in the sheet.
  const columns = useMemo(() => sheet.columns(header), [sheet, header, known]);
  const { rows, working } = useRows(sheet, count, from, columns, filters, order);
  const all = Math.max(0, count - from);
  const shown = rows?.length ?? all;
  return (
    <div className={styles.view}>
      <ViewerBar path={path} facts={factsOf(open, columns.length, shown, all, working)}>
        <Button
          look="quiet"
          aria-pressed={header}
          onClick={() => setHeader(!header)}
          title="The first row names the columns"
        >
          Header
        </Button>
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
          onChange={({ target }) => setFilters(filtersOf({ ...filters, anywhere: target.value }))}
        />
      </ViewerBar>
      <Warnings open={open} columns={columns.length} />
      <div className={table.parts} data-narrow={narrow || undefined}>
        <Grid
          key={String(header)}
          label={`Rows of ${path.slice(path.lastIndexOf('/') + 1)}`}
          tab={tab}
          sheet={sheet}
          columns={columns}
          from={from}
          count={shown}
          rows={rows}
          order={order}
          onOrder={setOrder}
          onColumn={(column) => summary !== null && setSummary(column)}
          filters={filtering ? filters.columns : null}
          onFilter={(column, text) =>
            setFilters(filtersOf({ ...filters, columns: { ...filters.columns, [column]: text } }))
          }
        />
        {summary !== null && progress === 1 && (
          <ColumnSummary
            sheet={sheet}
            rows={rows}
            count={count}
            from={from}
            columns={columns}
            column={Math.min(summary, columns.length - 1)}
            onColumn={setSummary}
          />
        )}
      </div>
    </div>
  );
}

/** Filters without those that let everything through. */
function filtersOf({ anywhere, columns }: Filters): Filters {
  const kept = Object.fromEntries(Object.entries(columns).filter(([, text]) => text.trim() !== ''));
  return anywhere.trim() === '' && Object.keys(kept).length === 0 ? emptied(anywhere) : { anywhere, columns: kept };
}

const emptied = (anywhere: string): Filters => (anywhere === '' ? UNFILTERED : { anywhere, columns: {} });

function factsOf({ size, progress }: OpenSheet, columns: number, shown: number, all: number, working: boolean): string {
  const rows = shown === all ? countWords(all, 'row') : `${shown.toLocaleString('en')} of ${countWords(all, 'row')}`;
  const reading = progress < 1 ? ` · reading, ${Math.floor(progress * 100)} %` : '';
  return `${rows} · ${countWords(columns, 'column')} · ${sizeWords(size)}${reading}${working ? ' · working…' : ''}`;
}

function Warnings({ open: { sheet, encoding }, columns }: { open: OpenSheet; columns: number }) {
  const { openQuote } = sheet.index;
  const said = [
    encoding !== 'UTF-8' && `The file is not UTF-8: it is read as ${encoding}.`,
    openQuote !== null &&
      `A quote in row ${(openQuote + 1).toLocaleString('en')} never ends: from there on, quotes are read as letters.`,
    columns === MOST_COLUMNS && `Only the first ${MOST_COLUMNS.toLocaleString('en')} columns are shown.`,
  ].filter((each) => each !== false);
  if (said.length === 0) return null;
  return (
    <p className={styles.warning} role="status">
      {said.join(' ')}
    </p>
  );
}
