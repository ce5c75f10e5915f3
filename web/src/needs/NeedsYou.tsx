import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { readWaiting, useActions, waitingRecords } from '../actions/store';
import { startActions } from '../actions/sync';
import type { PaneProps } from '../frames/panes';
import { useArrival } from '../frames/useArrival';
import { useServersWaiting } from '../mcp/waiting';
import { useTasksWaiting } from '../tasks/waiting';
import { startThreads } from '../threads/store';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { Page } from '../ui/Page';
import { sentence } from '../ui/sentence';
import type { ActionId, ActionRecord, Failure } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { Batches } from './Batch';
import { Item } from './Item';
import styles from './NeedsYou.module.css';
import { listed, nextWaiting, stepTo } from './order';
import { ServersWaiting } from './ServersWaiting';
import { TasksWaiting } from './TasksWaiting';

/** Everything that waits for a person, over all threads and doors, with the answers. */
export default function NeedsYou({ tab, focused }: PaneProps) {
  const { failure, read } = useWaitingRead();
  const records = useActions((state) => state.records);
  const waiting = useMemo(() => waitingRecords(records), [records]);
  const ids = useListed(waiting);
  const tasks = useTasksWaiting();
  const servers = useServersWaiting();
  const elsewhere = tasks.length + servers.length;
  const count = waiting.length + elsewhere;
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useOpen(ids, waiting, list, focused);
  useArrival(tab, () => (open ? rowOf(list.current, open) : null));
  if (failure && ids.length + elsewhere === 0) {
    return (
      <Notice icon="error" title="Couldn’t load waiting actions">
        <p>{sentence(failure.message)}</p>
        <Button onClick={read}>Retry</Button>
      </Notice>
    );
  }
  if (ids.length + elsewhere === 0) return <Nothing />;
  return (
    <Page
      title={count === 0 ? 'Nothing is waiting for you' : `${count} waiting for you`}
      tools={
        <p className={styles.keys} aria-hidden="true">
          <kbd>J</kbd> <kbd>K</kbd> move · <kbd>Alt Y</kbd> accept · <kbd>Alt N</kbd> reject
        </p>
      }
    >
      <ServersWaiting servers={servers} />
      <TasksWaiting tasks={tasks} />
      <Batches waiting={waiting} />
      <ul
        ref={list}
        className={styles.list}
        aria-label="Waiting for you"
        onKeyDown={(event) => onKey(event, list.current)}
      >
        {ids.map((id) => (
          <Item key={id} id={id} open={open === id} onToggle={() => setOpen(open === id ? null : id)} />
        ))}
      </ul>
    </Page>
  );
}

function Nothing() {
  return (
    <Notice icon="check" title="Nothing is waiting for you">
      <p>Actions that need your approval wait here, even if you close this window or restart Aside.</p>
    </Notice>
  );
}

function useWaitingRead() {
  const [failure, setFailure] = useState<Failure | null>(null);
  const read = () => {
    setFailure(null);
    readWaiting().catch((error: unknown) => setFailure(failureOf(error)));
  };
  useEffect(() => {
    startActions();
    startThreads();
    readWaiting().catch((error: unknown) => setFailure(failureOf(error)));
  }, []);
  return { failure, read };
}

function useListed(waiting: readonly ActionRecord[]): readonly ActionId[] {
  const [ids, setIds] = useState<readonly ActionId[]>([]);
  const now = listed(ids, waiting);
  if (now !== ids) setIds(now);
  return now;
}

/** One row is open: the first that waits, then the next one when it is answered; none if a person closed it. */
function useOpen(
  ids: readonly ActionId[],
  waiting: readonly ActionRecord[],
  list: { readonly current: HTMLUListElement | null },
  focused: boolean,
) {
  const [open, setOpen] = useState<ActionId | null | undefined>(undefined);
  const waited = useRef<ActionId | null | undefined>(undefined);
  const waits = waiting.some((record) => record.envelope.id === open);
  useEffect(() => {
    if (waits) waited.current = open;
    if (waits || open === null || open !== waited.current) return;
    const next = nextWaiting(ids, waiting, open ?? null);
    if (next === null) return;
    setOpen(next);
    const active = document.activeElement;
    const inList = open !== undefined && (active === document.body || list.current?.contains(active));
    if (focused && inList) requestAnimationFrame(() => rowOf(list.current, next)?.focus());
  }, [waits, open, ids, waiting, list, focused]);
  return [open ?? null, setOpen] as const;
}

function rowOf(list: HTMLElement | null, id: ActionId): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-action="${CSS.escape(id)}"] > button`) ?? null;
}

/** Letters and arrows walk the rows, each opening as it is come to; the keys of the review answer the one they are at. */
function onKey(event: KeyboardEvent, list: HTMLElement | null): void {
  const target = event.target as HTMLElement;
  if (!list || target.closest('input, textarea')) return;
  const rows = [...list.querySelectorAll<HTMLElement>('[data-action] > button')];
  const row = rows.find((each) => each.parentElement?.contains(target)) ?? null;
  if (isAnswer(event)) {
    event.preventDefault();
    if (row && !event.repeat) press(row, event.code === 'KeyN' ? 'reject' : 'accept');
    return;
  }
  if (event.altKey || event.ctrlKey || event.metaKey || (target.closest('pre') && event.key.length > 1)) return;
  const next = rows[stepTo(event.key, row ? rows.indexOf(row) : -1, rows.length) ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
  if (next.ariaExpanded === 'false') next.click();
}

function isAnswer({ key, code, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (altKey) return code === 'KeyY' || code === 'KeyN';
  return key === 'Enter' && (ctrlKey || metaKey);
}

/** Presses a button of a row; one that is out of sight is shown first, with all that stands above it. */
function press(row: HTMLElement, intent: 'accept' | 'reject'): void {
  if (row.ariaExpanded === 'false') return row.click();
  const button = row.parentElement?.querySelector<HTMLButtonElement>(`[data-intent="${intent}"]`);
  if (!button) return;
  if (intent === 'reject' || isSeen(button)) return button.click();
  button.scrollIntoView({ block: 'end' });
  announce('End of the preview. Press again to accept.');
}

function isSeen(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  const page = element.closest('[data-page]')?.getBoundingClientRect();
  return page !== undefined && top >= page.top && bottom <= page.bottom + 1;
}
