import type { CSSProperties, ReactNode } from 'react';
import type { HistoryGroup, HistoryHour, HistorySums } from '../wire/gen/types';
import styles from './History.module.css';
import { allTokens, everyDay, hourName, money, short, WEEKDAYS, weekOf } from './numbers';

/** What a chart shows. */
export type Measure = 'cost' | 'tokens';

/** How much of it some answers are. */
export function measured(sums: HistorySums | undefined, by: Measure): number {
  if (!sums) return 0;
  return by === 'cost' ? sums.dollars : allTokens(sums);
}

function words(value: number, by: Measure): string {
  return by === 'cost' ? money(value) : `${short(value)} tokens`;
}

const HEIGHT = 120;

/** A bar a day. The table beside it says the same. */
export function DayChart({ days, by, today }: { days: readonly HistoryGroup[]; by: Measure; today: string }) {
  const all = everyDay(days, today);
  if (all.length === 0) return null;
  const most = Math.max(...all.map(({ group }) => measured(group?.sums, by)), Number.MIN_VALUE);
  const [first, last] = [all[0]?.name, all.at(-1)?.name];
  return (
    <figure className={styles.chart}>
      <svg
        viewBox={`0 0 ${all.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${by === 'cost' ? 'Cost' : 'Tokens'} by day from ${first} to ${last}; the highest day has ${words(most, by)}`}
      >
        {all.map(({ name, group }, index) => {
          const height = (measured(group?.sums, by) / most) * (HEIGHT - 4);
          return (
            <rect key={name} x={index * 10 + 1} y={HEIGHT - height} width={8} height={height} className={styles.bar}>
              <title>{`${name}: ${words(measured(group?.sums, by), by)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <span>{first}</span>
        <span>at most {words(most, by)} a day</span>
        <span>{last}</span>
      </figcaption>
    </figure>
  );
}

/** A part of all, as a bar in its row. */
export function Share({ part, all }: { part: number; all: number }) {
  const share = all > 0 ? (part / all) * 100 : 0;
  return (
    <span className={styles.share} style={{ '--share': `${share}%` } as CSSProperties}>
      {share > 0 && share < 1 ? '< 1' : Math.round(share)} %
    </span>
  );
}

/** When in the week models answer: a table whose cells are stronger where more was answered, and the same in numbers. */
export function HeatMap({ hours }: { hours: readonly HistoryHour[] }) {
  const week = weekOf(hours);
  const most = Math.max(...hours.map(({ responses }) => responses), 1);
  const busiest = hours.find(({ responses }) => responses === most);
  return (
    <>
      <Scroll label="Answers by hour of the week">
        <table className={styles.heat}>
          <caption className="visually-hidden">Answers by hour of the week</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Day</span>
              </th>
              {week[0]?.map((_, hour) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: hours have no other name.
                <th key={hour} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {week.map((day, weekday) => (
              <tr key={WEEKDAYS[weekday]}>
                <th scope="row">{WEEKDAYS[weekday]?.slice(0, 3)}</th>
                {day.map((one, hour) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: hours have no other name.
                    key={hour}
                    title={`${hourName({ weekday, hour })}: ${one?.responses ?? 0} answers`}
                    style={
                      { '--share': `${Math.round(Math.sqrt((one?.responses ?? 0) / most) * 85)}%` } as CSSProperties
                    }
                  >
                    <span className="visually-hidden">{one?.responses ?? 0}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {busiest && (
        <p className={styles.quiet}>
          A stronger colour means more answers. The busiest hour is {hourName(busiest)}, with{' '}
          {busiest.responses.toLocaleString('en')} answers.
        </p>
      )}
      <Hours hours={hours} />
    </>
  );
}

/** The hours that saw an answer, those with most of them first. */
function Hours({ hours }: { hours: readonly HistoryHour[] }) {
  return (
    <details>
      <summary>Show as table</summary>
      <Scroll label="By hour of the week, as a table">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Hour</th>
              <th scope="col">Answers</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {hours
              .toSorted((one, two) => two.responses - one.responses)
              .map((one) => (
                <tr key={hourName(one)}>
                  <th scope="row">{hourName(one)}</th>
                  <td>{one.responses.toLocaleString('en')}</td>
                  <td>{money(one.dollars)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}

/** Something wide that scrolls by itself, also by the keyboard. */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable.
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
