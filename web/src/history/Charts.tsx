import type { ReactNode } from 'react';
import type { HistoryGroup, HistoryHour } from '../wire/gen/types';
import styles from './History.module.css';
import { allTokens, everyDay, money, short, WEEKDAYS, weekOf } from './numbers';

/** What a chart shows. */
export type Measure = 'cost' | 'tokens';

function measured(group: HistoryGroup | null, by: Measure): number {
  if (!group) return 0;
  return by === 'cost' ? group.sums.dollars : allTokens(group.sums);
}

function words(value: number, by: Measure): string {
  return by === 'cost' ? money(value) : `${short(value)} tokens`;
}

const HEIGHT = 120;

/** A bar a day. The table beside it says the same. */
export function DayChart({ days, by, today }: { days: readonly HistoryGroup[]; by: Measure; today: string }) {
  const all = everyDay(days, today);
  if (all.length === 0) return null;
  const most = Math.max(...all.map(({ group }) => measured(group, by)), Number.MIN_VALUE);
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
          const height = (measured(group, by) / most) * (HEIGHT - 4);
          return (
            <rect key={name} x={index * 10 + 1} y={HEIGHT - height} width={8} height={height} className={styles.bar}>
              <title>{`${name}: ${words(measured(group, by), by)}`}</title>
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

const SHARE = 100;

/** A line for each, as long as its share of the first. */
export function Shares({ groups, by }: { groups: readonly HistoryGroup[]; by: Measure }) {
  const most = Math.max(...groups.map((group) => measured(group, by)), Number.MIN_VALUE);
  return (
    <svg
      className={styles.shares}
      viewBox={`0 0 ${SHARE} ${groups.length * 8}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {groups.map((group, index) => (
        <rect
          key={group.name}
          y={index * 8 + 1}
          width={(measured(group, by) / most) * SHARE}
          height={6}
          className={styles.bar}
        />
      ))}
    </svg>
  );
}

/** When in the week models answer: a table whose cells are darker where more was answered. */
export function HeatMap({ hours }: { hours: readonly HistoryHour[] }) {
  const week = weekOf(hours);
  const most = Math.max(...week.flat(), 1);
  return (
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
              {day.map((count, hour) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: hours have no other name.
                  key={hour}
                  title={`${WEEKDAYS[weekday]}, ${hour}:00: ${count} answers`}
                  style={{ '--share': `${Math.round(Math.sqrt(count / most) * 85)}%` } as React.CSSProperties}
                >
                  <span className="visually-hidden">{count}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
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
