import { type KeyboardEvent, useMemo, useRef } from 'react';
import { setPageQuery, usePageQuery } from '../app/history';
import type { PaneProps } from '../frames/panes';
import { useArrival } from '../frames/useArrival';
import { stepTo } from '../needs/order';
import { Button } from '../ui/Button';
import { More } from '../ui/More';
import { Notice } from '../ui/Notice';
import { Page } from '../ui/Page';
import { ReadState } from '../ui/ReadState';
import styles from './Audit.module.css';
import { Export } from './Export';
import { Filters } from './Filters';
import { type AuditFilter, EVERYTHING, formatFilter, isNarrowed, parseFilter } from './filter';
import { daysOf } from './pages';
import { Row } from './Row';
import { type Audit as AuditState, useAudit } from './useAudit';
import { Verify } from './Verify';

/** What was done: who asked, who or which rule allowed it, what came of it, and the way back. */
export default function Audit({ tab }: PaneProps) {
  const query = usePageQuery('audit');
  const filter = useMemo(() => parseFilter(query), [query]);
  const audit = useAudit(filter);
  const page = useRef<HTMLDivElement>(null);
  useArrival(tab, () => page.current?.querySelector<HTMLElement>('input[type=search]'));
  const change = (next: AuditFilter) => setPageQuery('audit', formatFilter(next));
  return (
    <Page
      ref={page}
      title="Activity log"
      width="rows"
      tools={
        <>
          <Verify />
          <Export filter={filter} />
        </>
      }
    >
      <Filters filter={filter} rows={audit.pages.rows} onChange={change} />
      <State audit={audit} filter={filter} onAll={() => change({ ...EVERYTHING, reads: filter.reads })} />
      <Rows audit={audit} />
    </Page>
  );
}

function Rows({ audit }: { audit: AuditState }) {
  const { pages, loading, more } = audit;
  const list = useRef<HTMLElement>(null);
  const days = useMemo(() => daysOf(pages.rows, Date.now()), [pages.rows]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys walk the buttons in it.
    <section ref={list} className={styles.days} onKeyDown={(event) => onKey(event, list.current)}>
      {days.map((day) => (
        <section key={day.name} className={styles.day} aria-label={day.name}>
          <h3>{day.name}</h3>
          <ol className={styles.rows} aria-label={`Actions, ${day.name}`}>
            {day.rows.map((entry) => (
              <Row key={entry.seq} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
      {pages.rows.length > 0 && !pages.end && <More busy={loading} onSeen={more} />}
    </section>
  );
}

/** Why there is nothing to see, or why it may be out of date. */
function State({ audit, filter, onAll }: { audit: AuditState; filter: AuditFilter; onAll(): void }) {
  const { pages, loading, failure, again } = audit;
  const shown = pages.rows.length > 0;
  if (failure || shown || loading) {
    return <ReadState shown={shown} loading={loading} failure={failure} onAgain={again} />;
  }
  if (isNarrowed(filter)) {
    return (
      <Notice icon="search" title="No matches">
        <p>No action matches all filters.</p>
        <Button onClick={onAll}>Show all</Button>
      </Notice>
    );
  }
  return (
    <Notice icon="audit" title="No activity yet">
      <p>Aside records every action here: the request, the person or rule that allowed it, and the result.</p>
    </Notice>
  );
}

/** J and K, or the arrows, walk the rows; `/` goes to the filter. */
function onKey(event: KeyboardEvent, list: HTMLElement | null): void {
  const target = event.target as HTMLElement;
  if (!list || event.altKey || event.ctrlKey || event.metaKey || target.closest('input, textarea')) return;
  if (event.key === '/') {
    event.preventDefault();
    list.parentElement?.querySelector<HTMLElement>('input[type=search]')?.focus();
    return;
  }
  if (target.closest('pre') && event.key.length > 1) return;
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row.parentElement?.contains(target));
  const next = rows[stepTo(event.key, at, rows.length) ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
