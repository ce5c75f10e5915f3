import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Plain } from '../actions/Plain';
import { setPageQuery, usePageQuery } from '../app/history';
import { Sentences } from '../ask/Sentences';
import type { PaneProps } from '../frames/panes';
import { openView } from '../frames/store';
import { useArrival } from '../frames/useArrival';
import { stepTo } from '../needs/order';
import { ago } from '../threads/list';
import { Input, Select } from '../ui/Field';
import { Lead } from '../ui/Fold';
import { More } from '../ui/More';
import { Note } from '../ui/Note';
import { Notice } from '../ui/Notice';
import { Page } from '../ui/Page';
import { ReadState } from '../ui/ReadState';
import type { Task, TaskState } from '../wire/gen/types';
import { startTasks } from './following';
import { groupTasks } from './list';
import { Recipes } from './Recipes';
import { formatSearch, parseSearch, STATES, type TaskSearch } from './search';
import styles from './Tasks.module.css';
import { useTasks } from './useTasks';
import { progressWords, sourceWords, stateOf } from './words';

const PAUSE = 200;

/** All tasks, what needs you first; found by words, objects and actions. */
export default function Tasks({ tab }: PaneProps) {
  useEffect(startTasks, []);
  const query = usePageQuery('tasks');
  const search = useMemo(() => parseSearch(query), [query]);
  const { tasks, failure, loading, end, more, again } = useTasks(search);
  const field = useRef<HTMLInputElement>(null);
  useArrival(tab, () => field.current);
  const groups = groupTasks(tasks);
  return (
    <Page title="Tasks">
      <Search ref={field} search={search} />
      <ReadState shown={tasks.length > 0} loading={loading} failure={failure} onAgain={again} />
      {!loading && !failure && groups.length === 0 && <Nothing searched={query !== ''} />}
      {groups.map(({ group, tasks }) => (
        <section key={group} className={styles.part} aria-label={group}>
          <h3>{group}</h3>
          <ul className={styles.list} onKeyDown={onKey}>
            {tasks.map((task) => (
              <Row key={task.id} task={task} />
            ))}
          </ul>
        </section>
      ))}
      {groups.length > 0 && !end && <More busy={loading} onSeen={more} />}
      <Recipes />
    </Page>
  );
}

/** Words and a state narrow the list; the page's URL says them, so that a list can be linked. */
function Search({ search, ref }: { search: TaskSearch; ref: React.Ref<HTMLInputElement> }) {
  const [typed, setTyped] = useState(search.q);
  useEffect(() => setTyped(search.q), [search.q]);
  useEffect(() => {
    if (typed === search.q) return;
    const timer = setTimeout(() => show({ ...search, q: typed }), PAUSE);
    return () => clearTimeout(timer);
  }, [typed, search]);
  return (
    <search className={styles.search}>
      <Input
        ref={ref}
        type="search"
        aria-label="Search tasks by goal, file, action or person"
        placeholder="Search by goal, file, action or person"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Select
        aria-label="Task state"
        value={search.state}
        onChange={(event) => show(parseSearch(formatSearch({ q: typed, state: event.target.value as TaskState })))}
      >
        <option value="">any state</option>
        {Object.entries(STATES).map(([state, word]) => (
          <option key={state} value={state}>
            {word}
          </option>
        ))}
      </Select>
    </search>
  );
}

function show(search: TaskSearch): void {
  setPageQuery('tasks', formatSearch(search));
}

function Row({ task }: { task: Task }) {
  const { word, icon, tone } = stateOf(task);
  return (
    <li data-tone={tone}>
      <Lead
        icon={icon}
        title={<Plain text={task.goal} />}
        state={word}
        onGo={() => openView({ kind: 'task', task: task.id })}
      >
        <span>{progressWords(task)}</span>
        <span>
          {sourceWords(task.source)}, for <Plain text={task.by} />
        </span>
        {task.objects.length > 0 && (
          <span>
            <Plain text={objectWords(task)} />
          </span>
        )}
        <time dateTime={new Date(task.updated).toISOString()} title={new Date(task.updated).toLocaleString()}>
          {ago(task.updated, Date.now())}
        </time>
      </Lead>
    </li>
  );
}

const NAMED = 3;

function objectWords({ objects }: Task): string {
  const named = objects.slice(0, NAMED).map((object) => object.id);
  return [...named, ...(objects.length > NAMED ? [`${objects.length - NAMED} more`] : [])].join(', ');
}

function Nothing({ searched }: { searched: boolean }) {
  return searched ? (
    <Note>No matches.</Note>
  ) : (
    <Notice icon="tasks" title="No tasks yet">
      <p>
        Each message to the assistant starts a task with a plan, actions and results. You can undo a task or run it
        again.
      </p>
      <Sentences of={['create file ideas.md', 'create folder data']} />
    </Notice>
  );
}

/** J and K, or the arrows, walk the rows. */
function onKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const page = event.currentTarget.closest('[data-page]');
  const rows = [...(page?.querySelectorAll<HTMLElement>('[data-lead]') ?? [])];
  const next = rows[stepTo(event.key, rows.indexOf(event.target as HTMLElement), rows.length) ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
