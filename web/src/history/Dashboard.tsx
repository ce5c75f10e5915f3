import { useId, useState } from 'react';
import { Button } from '../ui/Button';
import { Select } from '../ui/Field';
import { ReadState } from '../ui/ReadState';
import type { HistoryCourse, HistoryDashboard, HistoryGroup } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { DayChart, HeatMap, type Measure, Scroll, Shares } from './Charts';
import { PROGRAMS } from './Filters';
import styles from './History.module.css';
import { allTokens, caveat, counted, folderName, localDay, money, offChart, short } from './numbers';
import type { Which } from './shows';

/** Rows of a table before all are asked for. */
const SHOWN = 12;

interface DashboardProps {
  /** Which answers, as the address says it. */
  query: string;
  /** Shows those of one row only. */
  onChoose(part: Partial<Which>): void;
}

/** What AI coding took and cost, by day and by what it was for. */
export function Dashboard({ query, onChoose }: DashboardProps) {
  const { data, loading, failure, reload } = useResource<HistoryDashboard>(`history/dashboard?${query}`);
  const [by, setBy] = useState<Measure>('cost');
  const id = useId();
  const today = localDay(new Date());
  const off = data && offChart(data.days, data.totals.responses, today);
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
              <DayChart days={data.days} by={by} today={today} />
              {off && <p className={styles.quiet}>{off}</p>}
              <Groups
                title="Day"
                groups={[...data.days].reverse()}
                chosen={(day) => ({ since: day, until: day })}
                onChoose={onChoose}
              />
            </section>
          )}
          <Section title="Model" groups={data.models} by={by} />
          <Section
            title="Folder"
            groups={data.workspaces}
            by={by}
            name={folderName}
            chosen={(path) => (path === UNKNOWN ? null : { workspace: path })}
            onChoose={onChoose}
          />
          <Section title="Program" groups={data.programs} by={by} chosen={ofProgram} onChoose={onChoose} />
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
        <strong>{money(totals.dollars)}</strong> for {counted(totals.responses, 'answer')} in{' '}
        {counted(sessions, 'session')}, {short(allTokens(totals))} tokens
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

/** What the server calls a folder that nobody knows. */
const UNKNOWN = 'unknown';

/** A program as it is filtered by. */
function ofProgram(name: string): Partial<Which> | null {
  const program = PROGRAMS.find(([, words]) => words === name)?.[0];
  return program ? { program } : null;
}

interface GroupsProps {
  title: string;
  groups: readonly HistoryGroup[];
  /** The name as it is shown. */
  name?(full: string): string;
  /** What shows only this one; null if nothing does. */
  chosen?(full: string): Partial<Which> | null;
  onChoose?(part: Partial<Which>): void;
}

function Section({ by, ...of }: GroupsProps & { by: Measure }) {
  const { title, groups } = of;
  if (groups.length === 0) return null;
  const id = `history-${title}`;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>By {title.toLowerCase()}</h3>
      <div className={styles.beside}>
        <Shares groups={groups.slice(0, SHOWN)} by={by} />
        <Groups {...of} />
      </div>
    </section>
  );
}

function Groups({ title, groups, name = (full) => full, chosen, onChoose }: GroupsProps) {
  const [all, setAll] = useState(false);
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
          {groups.slice(0, all ? groups.length : SHOWN).map((group) => (
            <Row
              key={group.name}
              group={group}
              name={name(group.name)}
              only={chosen?.(group.name)}
              onChoose={onChoose}
            />
          ))}
        </tbody>
      </table>
      {groups.length > SHOWN && (
        <Button look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `Show the first ${SHOWN}` : `Show all ${groups.length.toLocaleString('en')}`}
        </Button>
      )}
    </Scroll>
  );
}

interface RowProps {
  group: HistoryGroup;
  name: string;
  /** What shows only this one. */
  only: Partial<Which> | null | undefined;
  onChoose?(part: Partial<Which>): void;
}

function Row({ group: { name: full, sessions, sums }, name, only, onChoose }: RowProps) {
  return (
    <tr>
      <th scope="row" title={full}>
        {only && onChoose ? (
          <button type="button" className={styles.only} title={`Show only ${full}`} onClick={() => onChoose(only)}>
            {name}
          </button>
        ) : (
          name
        )}
      </th>
      <td>{sessions}</td>
      <td>{short(allTokens(sums))}</td>
      <td>
        {sums.unpriced > 0 && sums.dollars === 0 ? 'unknown' : money(sums.dollars)}
        {sums.unpriced > 0 && sums.dollars > 0 && ' +?'}
      </td>
    </tr>
  );
}
