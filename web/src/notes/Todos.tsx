import { useEffect, useMemo, useRef, useState } from 'react';
import { doAction } from '../app/actionFlow';
import type { PaneProps } from '../frames/panes';
import { openFile } from '../frames/store';
import { useArrival } from '../frames/useArrival';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { Page } from '../ui/Page';
import { ReadState } from '../ui/ReadState';
import { connection } from '../wire/connection';
import type { TodoItem, TodoList } from '../wire/gen/types';
import { invalidate, useResource } from '../wire/resource';
import { todosPathOf } from './api';
import styles from './Todos.module.css';
import { type TodoOrder, todoGroups } from './todoGroups';

const OPEN = todosPathOf({ state: 'open', limit: '2000' });
/** Rows of a group that are shown before somebody asks for more. */
const FIRST = 100;
const PAUSE = 400;

const ORDERS: readonly { order: TodoOrder; name: string }[] = [
  { order: 'day', name: 'By day' },
  { order: 'note', name: 'By note' },
  { order: 'tag', name: 'By tag' },
];

/** The open todos of all notes. A tick marks one as done; its words lead to its line. */
export default function Todos({ tab }: PaneProps) {
  const { data, failure, loading, reload } = useResource<TodoList>(OPEN);
  const [order, setOrder] = useState<TodoOrder>('day');
  const [typed, setTyped] = useState('');
  const page = useRef<HTMLDivElement>(null);
  useArrival(tab, () => page.current?.querySelector<HTMLElement>('h2'));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    invalidate(OPEN);
    const stop = connection.on('files_changed', () => {
      clearTimeout(timer);
      timer = setTimeout(() => invalidate(OPEN), PAUSE);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  const words = typed.trim().toLowerCase();
  const groups = useMemo(() => {
    const fits = ({ text, note }: TodoItem) => `${text} ${note}`.toLowerCase().includes(words);
    return data ? todoGroups(words === '' ? data.todos : data.todos.filter(fits), order, data.today) : [];
  }, [data, order, words]);
  const left = data ? data.total - data.todos.length : 0;
  return (
    <Page
      ref={page}
      title="Todos"
      width="cards"
      tools={<Tools order={order} onOrder={setOrder} typed={typed} onTyped={setTyped} />}
    >
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data && !data.complete && (
        <p className={styles.quiet}>Reading the notes of this folder. Todos may be missing.</p>
      )}
      {data && groups.length === 0 && <Nothing searched={words !== ''} />}
      {groups.map(({ key, title, isLate, todos }) => (
        <Group
          key={`${order} ${key}`}
          title={title}
          isLate={isLate}
          todos={todos}
          today={data?.today ?? ''}
          showNote={order !== 'note'}
        />
      ))}
      {left > 0 && <p className={styles.quiet}>{left} more todos are not shown. Type to find one.</p>}
    </Page>
  );
}

interface ToolsProps {
  order: TodoOrder;
  onOrder(order: TodoOrder): void;
  typed: string;
  onTyped(text: string): void;
}

function Tools({ order, onOrder, typed, onTyped }: ToolsProps) {
  return (
    <div className={styles.tools}>
      <fieldset className={styles.orders} aria-label="Group todos">
        {ORDERS.map((each) => (
          <button
            key={each.order}
            type="button"
            aria-pressed={each.order === order}
            onClick={() => onOrder(each.order)}
          >
            {each.name}
          </button>
        ))}
      </fieldset>
      <input
        type="search"
        className={styles.filter}
        placeholder="Filter todos"
        aria-label="Filter todos"
        value={typed}
        onChange={(event) => onTyped(event.target.value)}
      />
    </div>
  );
}

function Nothing({ searched }: { searched: boolean }) {
  if (searched) return <Notice title="No todo has these words" />;
  return (
    <Notice icon="check" title="No open todos">
      <p>
        A line such as <code>- [ ] call the harbour 📅 2026-12-01</code> in any note is a todo.
      </p>
    </Notice>
  );
}

interface GroupProps {
  title: string;
  isLate: boolean;
  todos: readonly TodoItem[];
  today: string;
  showNote: boolean;
}

function Group({ title, isLate, todos, today, showNote }: GroupProps) {
  const [count, setCount] = useState(FIRST);
  return (
    <section aria-label={title}>
      <h3 className={styles.title} data-tone={isLate ? 'err' : undefined}>
        {title} <span>{todos.length}</span>
      </h3>
      <ul className={styles.rows}>
        {todos.slice(0, count).map((todo) => (
          <Row key={`${todo.path} ${todo.line} ${todo.text}`} todo={todo} today={today} showNote={showNote} />
        ))}
      </ul>
      {todos.length > count && (
        <Button look="quiet" onClick={() => setCount(count + 10 * FIRST)}>
          Show {Math.min(todos.length - count, 10 * FIRST)} more
        </Button>
      )}
    </section>
  );
}

function Row({ todo, today, showNote }: { todo: TodoItem; today: string; showNote: boolean }) {
  const [busy, setBusy] = useState(false);
  const { path, line, text, due, scheduled, repeat, priority } = todo;
  const tick = async () => {
    setBusy(true);
    const done = await doAction(
      { action_type: 'todo.done', args: { todos: [{ path, line, text }] } },
      { done: `Done: ${text}` },
    );
    setBusy(false);
    if (done) invalidate(OPEN);
  };
  const late = due !== undefined && due.slice(0, 10) < today;
  return (
    <li className={styles.row}>
      <input type="checkbox" checked={busy} disabled={busy} onChange={() => void tick()} aria-label={`Done: ${text}`} />
      <button type="button" className={styles.words} onClick={() => openFile(path, { line })}>
        <span>{text}</span>
        <span className={styles.facts}>
          {priority !== undefined && <span>{priority} priority</span>}
          {due !== undefined && <span data-tone={late ? 'err' : undefined}>due {dayWords(due, today)}</span>}
          {scheduled !== undefined && <span>planned {dayWords(scheduled, today)}</span>}
          {repeat !== undefined && <span>{repeat}</span>}
          {showNote && <span title={path}>{todo.note}</span>}
        </span>
      </button>
    </li>
  );
}

/** `today`, or the day as it is written, with its time. */
function dayWords(day: string, today: string): string {
  const [date = '', time] = day.split('T');
  return [date === today ? 'today' : date, time].filter(Boolean).join(' ');
}
