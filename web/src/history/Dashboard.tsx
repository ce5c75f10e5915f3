import { useId, useState } from 'react';
import { Select } from '../ui/Field';
import { ReadState } from '../ui/ReadState';
import type { HistoryCourse, HistoryDashboard, HistoryGroup } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { DayChart, HeatMap, type Measure, Scroll, Shares } from './Charts';
import styles from './History.module.css';
import { allTokens, caveat, folderName, money, short } from './numbers';

/** Rows of a table; the rest is on the command line. */
const SHOWN = 12;

/** What AI coding took and cost, by day and by what it was for. */
export function Dashboard({ query }: { query: string }) {
  const { data, loading, failure, reload } = useResource<HistoryDashboard>(`history/dashboard?${query}`);
  const [by, setBy] = useState<Measure>('cost');
  const id = useId();
  return (
    <>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data && (
        <>
          <Totals data={data} />
          {data.course && <Course course={data.course} />}
          <div className={styles.by}>
            <label htmlFor={id}>Charts show</label>
            <Select id={id} value={by} onChange={(event) => setBy(event.target.value as Measure)}>
              <option value="cost">cost</option>
              <option value="tokens">tokens</option>
            </Select>
          </div>
          {data.days.length > 0 && (
            <section aria-labelledby="history-days">
              <h3 id="history-days">By day</h3>
              <DayChart days={data.days} by={by} />
              <Groups title="Day" groups={[...data.days].reverse()} />
            </section>
          )}
          <Section title="Model" groups={data.models} by={by} />
          <Section title="Folder" groups={data.workspaces} by={by} name={folderName} />
          <Section title="Program" groups={data.programs} by={by} />
          {data.hours.length > 0 && (
            <section aria-labelledby="history-hours">
              <h3 id="history-hours">By hour of the week</h3>
              <HeatMap hours={data.hours} />
            </section>
          )}
        </>
      )}
    </>
  );
}

function Totals({ data: { totals, sessions } }: { data: HistoryDashboard }) {
  const left = caveat(totals);
  return (
    <div>
      <p className={styles.total}>
        <strong>{money(totals.dollars)}</strong> for {totals.responses.toLocaleString('en')} answers in{' '}
        {sessions.toLocaleString('en')} sessions, {short(allTokens(totals))} tokens
      </p>
      {left && <p className={styles.quiet}>Of these, {left}.</p>}
    </div>
  );
}

function Course({ course: { start, end, budget, used, projected, alert } }: { course: HistoryCourse }) {
  return (
    <p className={styles.course} data-tone={alert ? 'warn' : 'ok'}>
      {start} to {end}: {money(used)} of {money(budget)}, at this rate {money(projected)} at the end. {alert}
    </p>
  );
}

interface SectionProps {
  title: string;
  groups: readonly HistoryGroup[];
  by: Measure;
  name?(full: string): string;
}

function Section({ title, groups, by, name }: SectionProps) {
  if (groups.length === 0) return null;
  const id = `history-${title}`;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>By {title.toLowerCase()}</h3>
      <div className={styles.beside}>
        <Shares groups={groups.slice(0, SHOWN)} by={by} />
        <Groups title={title} groups={groups} name={name} />
      </div>
    </section>
  );
}

function Groups({
  title,
  groups,
  name = (full) => full,
}: {
  title: string;
  groups: readonly HistoryGroup[];
  name?(full: string): string;
}) {
  return (
    <Scroll label={`By ${title.toLowerCase()}, as a table`}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">Sessions</th>
            <th scope="col">Tokens</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {groups.slice(0, SHOWN).map((group) => (
            <tr key={group.name}>
              <th scope="row" title={group.name}>
                {name(group.name)}
              </th>
              <td>{group.sessions}</td>
              <td>{short(allTokens(group.sums))}</td>
              <td>
                {group.sums.unpriced > 0 && group.sums.dollars === 0 ? 'unknown' : money(group.sums.dollars)}
                {group.sums.unpriced > 0 && group.sums.dollars > 0 && ' +?'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {groups.length > SHOWN && <p className={styles.quiet}>and {groups.length - SHOWN} more</p>}
    </Scroll>
  );
}
