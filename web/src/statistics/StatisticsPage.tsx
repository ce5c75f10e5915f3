import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Sentences } from '../ask/Sentences';
import type { PaneProps } from '../frames/panes';
import { useArrival } from '../frames/useArrival';
import { announce } from '../ui/Announcer';
import { Select } from '../ui/Field';
import { Note } from '../ui/Note';
import { Page } from '../ui/Page';
import { ReadState } from '../ui/ReadState';
import { SureButton } from '../ui/SureButton';
import { toastFailure } from '../ui/Toast';
import type { ClassCounts, SentenceCounts, Statistics } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidate, useResource } from '../wire/resource';
import styles from './StatisticsPage.module.css';
import { className, durationWords, endedOf, isEmpty, percent } from './words';

const DAYS = [7, 30, 365];

/** Rows of the most frequent actions. */
const FEW = 8;

/** How well Aside serves in this workspace. */
export default function StatisticsPage({ tab }: PaneProps) {
  const [days, setDays] = useState(30);
  const path = `statistics?days=${days}`;
  const { data, failure, loading, reload } = useResource<Statistics>(path);
  const page = useRef<HTMLDivElement>(null);
  const id = useId();
  useArrival(tab, () => page.current?.querySelector('h2'));
  // The counts may have changed since they were read.
  useEffect(() => invalidate(path), [path]);
  return (
    <Page ref={page} title="Statistics">
      <Note>
        Counted on this machine from the activity log and the tasks of this workspace. Nothing of it is sent anywhere,
        and of a sentence only the chosen way and the actions are counted, never the words.
      </Note>
      <p className={styles.days}>
        <label htmlFor={id}>Period</label>
        <Select id={id} value={days} onChange={(event) => setDays(Number(event.target.value))}>
          {DAYS.map((days) => (
            <option key={days} value={days}>
              the last {days} days
            </option>
          ))}
        </Select>
      </p>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data && (isEmpty(data) ? <Nothing /> : <Counts of={data} />)}
    </Page>
  );
}

function Nothing() {
  return (
    <>
      <p>Nothing was counted in this period.</p>
      <Sentences of={['open the last five files', 'close all tabs', 'dark mode']} />
    </>
  );
}

function Counts({ of }: { of: Statistics }) {
  const { first_success, sentences, classes, tasks, confirmations, refusals, undos } = of;
  const asked = sentences.rules + sentences.model;
  return (
    <>
      <dl className={styles.figures}>
        <Figure name="First success" value={first_success === undefined ? '–' : durationWords(first_success)}>
          from the first use of this workspace to the first success of a sentence, a task or the assistant
        </Figure>
        <Figure name="Without a model" value={percent(sentences.rules, asked)}>
          {sentences.rules} of {asked} sentences
        </Figure>
        <Figure name="Tasks completed" value={percent(tasks.completed, tasks.completed + tasks.failed)}>
          {tasks.completed} completed, {tasks.failed} failed, {tasks.cancelled} cancelled
        </Figure>
        <Figure name="Confirmations" value={String(confirmations.asked)}>
          {confirmations.approved} approved, {confirmations.rejected} rejected
          {confirmations.median_wait !== undefined &&
            `; half were answered within ${durationWords(confirmations.median_wait)}`}
        </Figure>
        <Figure name="Refusals" value={String(Object.values(refusals).reduce((sum, count) => sum + count, 0))}>
          {refusals.person} by you, {refusals.policy} by permissions, {refusals.grant} by a grant, {refusals.request} as
          wrong requests
        </Figure>
        <Figure name="Undone within a minute" value={String(undos.within_minute)}>
          {undos.later} later
        </Figure>
        <Figure name="Handed on" value={String(sentences.handed_on)}>
          quick tasks that became threads
        </Figure>
      </dl>
      {classes.length > 0 && <Classes classes={classes} />}
      {sentences.actions.length > 0 && <Actions of={sentences} />}
      {asked + sentences.handed_on > 0 && <Forget />}
    </>
  );
}

function Figure({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
        <small>{children}</small>
      </dd>
    </div>
  );
}

function Classes({ classes }: { classes: readonly ClassCounts[] }) {
  return (
    <section aria-labelledby="statistics-classes">
      <h3 id="statistics-classes">Actions by their gravest risk</h3>
      <div className={styles.scroll}>
        <table>
          <thead>
            <tr>
              <th scope="col">Class</th>
              <th scope="col">Actions</th>
              <th scope="col">Done</th>
              <th scope="col">Failed</th>
              <th scope="col">Refused</th>
            </tr>
          </thead>
          <tbody>
            {classes.map((counts) => (
              <tr key={counts.risk ?? 'window'}>
                <th scope="row">{className(counts)}</th>
                <td>{endedOf(counts)}</td>
                <td>{percent(counts.done, endedOf(counts))}</td>
                <td>{counts.failed + counts.interrupted}</td>
                <td>{counts.refused}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Actions({ of: { actions } }: { of: SentenceCounts }) {
  return (
    <section aria-labelledby="statistics-actions">
      <h3 id="statistics-actions">Most frequent without a model</h3>
      <ol className={styles.actions}>
        {actions.slice(0, FEW).map(({ action, count }) => (
          <li key={action}>
            <code>{action}</code> <span>{count}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Deletes the counts of sentences; everything else is the activity log's. */
function Forget() {
  const forget = async () => {
    try {
      await request('DELETE', 'statistics/sentences');
      announce('Deleted the counts of sentences');
      for (const days of DAYS) invalidate(`statistics?days=${days}`);
    } catch (error) {
      toastFailure(failureOf(error));
    }
  };
  return (
    <p className={styles.forget}>
      <SureButton verb="Delete" what="the counts of sentences" onSure={() => void forget()} />
      <span>the counts of sentences. The activity log and the tasks stay as they are.</span>
    </p>
  );
}
