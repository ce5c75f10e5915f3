import { type ReactNode, useId, useState } from 'react';
import { Button } from '../ui/Button';
import { Select } from '../ui/Field';
import { join } from '../ui/names';
import { ReadState } from '../ui/ReadState';
import type { HistoryCourse, HistoryDashboard, HistoryGroup } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { DayChart, HeatMap, type Measure, measured, Scroll, Share } from './Charts';
import styles from './History.module.css';
import {
  allTokens,
  byKind,
  caveat,
  cost,
  counted,
  courseWords,
  folderName,
  localDay,
  offChart,
  short,
} from './numbers';
import { PROGRAMS } from './programs';
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
          {data.totals.responses === 0 && <p className={styles.quiet}>No answers match these filters.</p>}
          {data.totals.responses > 0 && (
            <div className={styles.by}>
              <label htmlFor={id}>Charts show</label>
              <Select id={id} value={by} onChange={(event) => setBy(event.target.value as Measure)}>
                <option value="cost">cost</option>
                <option value="tokens">tokens</option>
              </Select>
            </div>
          )}
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
          <Section title="Model" groups={data.models} by={by} retired={data.retired} />
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
        <strong>{cost(totals)}</strong> for {counted(totals.responses, 'answer')} in {counted(sessions, 'session')},{' '}
        {short(allTokens(totals))} tokens
      </p>
      {totals.responses > 0 && <p className={styles.quiet}>Tokens: {byKind(totals)}.</p>}
      {left && <p className={styles.quiet}>Of these, {left}.</p>}
    </div>
  );
}

function Course({ course }: { course: HistoryCourse }) {
  const { budget, used, alert } = course;
  return (
    <div className={styles.course} data-tone={alert ? 'warn' : 'ok'}>
      <progress value={Math.min(used, budget)} max={budget} aria-label="Plan usage" />
      <p>{courseWords(course)}</p>
    </div>
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
  /** What the share of each is of; none are told if absent. */
  by?: Measure;
  /** The name as it is shown. */
  name?(full: string): string;
  /** Those that are served no more. */
  retired?: readonly string[];
  /** What shows only this one; null if nothing does. */
  chosen?(full: string): Partial<Which> | null;
  onChoose?(part: Partial<Which>): void;
}

function Section(of: GroupsProps) {
  const { title, groups, retired = [] } = of;
  if (groups.length === 0) return null;
  const id = `history-${title}`;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>By {title.toLowerCase()}</h3>
      <Groups {...of} />
      {retired.length > 0 && <p className={styles.quiet}>Retired models use their last published price.</p>}
    </section>
  );
}

function Groups({ title, groups, by, name = (full) => full, retired, chosen, onChoose }: GroupsProps) {
  const [all, setAll] = useState(false);
  const whole = by && groups.reduce((sum, { sums }) => sum + measured(sums, by), 0);
  return (
    <>
      <Scroll label={`By ${title.toLowerCase()}, as a table`}>
        <table className={join(styles.table, styles.sums)}>
          <thead>
            <tr>
              <th scope="col">{title}</th>
              <th scope="col">Sessions</th>
              <th scope="col">Tokens</th>
              <th scope="col">Cost</th>
              {by && <th scope="col">Share</th>}
            </tr>
          </thead>
          <tbody>
            {groups.slice(0, all ? groups.length : SHOWN).map((group) => (
              <Row
                key={group.name}
                group={group}
                name={name(group.name)}
                retired={retired?.includes(group.name)}
                only={chosen?.(group.name)}
                onChoose={onChoose}
              >
                {by && (
                  <td>
                    <Share part={measured(group.sums, by)} all={whole ?? 0} />
                  </td>
                )}
              </Row>
            ))}
          </tbody>
        </table>
      </Scroll>
      {groups.length > SHOWN && (
        <Button look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `Show the first ${SHOWN}` : `Show all ${groups.length.toLocaleString('en')}`}
        </Button>
      )}
    </>
  );
}

interface RowProps {
  group: HistoryGroup;
  name: string;
  retired?: boolean;
  /** What shows only this one. */
  only: Partial<Which> | null | undefined;
  onChoose?(part: Partial<Which>): void;
  children: ReactNode;
}

function Row({ group: { name: full, sessions, sums }, name, retired, only, onChoose, children }: RowProps) {
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
        {retired && <span className={styles.facts}> retired</span>}
      </th>
      <td>{sessions.toLocaleString('en')}</td>
      <td title={byKind(sums)}>{short(allTokens(sums))}</td>
      <td>{cost(sums)}</td>
      {children}
    </tr>
  );
}
