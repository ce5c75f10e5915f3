/** Numbers and times of the history, for people. Pure. */
import type { HistoryCourse, HistoryGroup, HistoryHour, HistorySession, HistorySums } from '../wire/gen/types';

/** Dollars with cents; less than a cent says so. */
export function money(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return '< $0.01';
  return `$${dollars.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** What some answers cost: `~` if some of it is a guess, `?` for what nobody knows. */
export function cost({
  dollars,
  estimated,
  unpriced,
}: Pick<HistorySums, 'dollars' | 'estimated' | 'unpriced'>): string {
  if (unpriced > 0 && dollars === 0) return 'unknown';
  const about = estimated > 0 ? (dollars < 0.01 ? '~ ' : '~') : '';
  return `${about}${money(dollars)}${unpriced > 0 ? ' + ?' : ''}`;
}

/** What a session cost. One without an answer cost nothing. */
export function costOf({ dollars, estimated, unpriced }: HistorySession): string {
  if (dollars === undefined && unpriced === 0) return 'no cost';
  return cost({ dollars: dollars ?? 0, estimated: estimated ? 1 : 0, unpriced });
}

/** All tokens of some answers. */
export function allTokens(sums: HistorySums): number {
  return sums.input + sums.output + sums.cache_read + sums.cache_write;
}

/** A number of tokens in few letters. */
export function short(count: number): string {
  return count.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 });
}

/** How many, with the word for it. */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}

/** What an amount leaves out, in words; null if it leaves out nothing. */
export function caveat({ estimated, unpriced }: HistorySums): string | null {
  const parts = [
    ...(estimated > 0 ? [`${counted(estimated, 'answer')} ${estimated === 1 ? 'is' : 'are'} estimated`] : []),
    ...(unpriced > 0
      ? [`${counted(unpriced, 'answer')} without a known price ${unpriced === 1 ? 'is' : 'are'} not included`]
      : []),
  ];
  return parts.length > 0 ? parts.join('; ') : null;
}

/** Tokens by kind, in words. */
export function byKind({ input, output, cache_read, cache_write }: HistorySums): string {
  const kinds = [
    [input, 'input'],
    [output, 'output'],
    [cache_read, 'cache read'],
    [cache_write, 'cache write'],
  ] as const;
  return kinds.map(([count, words]) => `${short(count)} ${words}`).join(', ');
}

/** How a month of a plan goes, in words. */
export function courseWords({ start, end, budget, used, projected }: HistoryCourse): string {
  const going =
    projected > budget ? `${money(projected - budget)} over the plan` : `${money(budget - projected)} of the plan left`;
  return `${start} to ${end}: ${money(used)} of ${money(budget)} used. Projected: ${money(projected)}, ${going}.`;
}

/** A session by its name, else by its folder. */
export function sessionName({ id, title, workspace }: Pick<HistorySession, 'id' | 'title' | 'workspace'>): string {
  return title ?? `${workspace ? folderName(workspace) : 'Session'} ${id.slice(0, 8)}`;
}

/** The last part of a folder's path. */
export function folderName(path: string): string {
  return path.split('/').filter(Boolean).at(-1) ?? path;
}

/** A time of the log in the reader's own zone, to the minute. */
export function when(at: string | number | undefined): string {
  if (at === undefined) return 'unknown';
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The same to the second: things of a session are close together. */
export function whenExactly(at: string | number | undefined): string {
  if (at === undefined) return 'unknown';
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** From when to when; a day that is the same is named once. */
export function during(first: string | undefined, last: string | undefined): string {
  if (first === undefined || last === undefined) return when(first ?? last);
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return format.formatRange(new Date(first), new Date(last));
}

/** A day where the reader is, as the server names it. */
export function localDay(at: Date): string {
  const two = (number: number) => `${number}`.padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The most days of a chart: a year. */
const MOST_DAYS = 366;

/**
 * The days from the first to the last one until today, those without an answer too, so that a chart has no gaps; the last year
 * of them.
 */
export function everyDay(days: readonly HistoryGroup[], today: string): { name: string; group: HistoryGroup | null }[] {
  const past = days.filter(({ name }) => name <= today);
  const [first, last] = [past[0]?.name, past.at(-1)?.name];
  if (first === undefined || last === undefined) return [];
  const known = new Map(past.map((day) => [day.name, day]));
  const all: { name: string; group: HistoryGroup | null }[] = [];
  const day = new Date(`${last}T00:00:00Z`);
  for (let count = 0; count < MOST_DAYS; count += 1) {
    const name = day.toISOString().slice(0, 10);
    all.unshift({ name, group: known.get(name) ?? null });
    if (name <= first) break;
    day.setUTCDate(day.getUTCDate() - 1);
  }
  return all;
}

/** Which of all answers are on none of the days of a chart, in words; null if all are. */
export function offChart(days: readonly HistoryGroup[], responses: number, today: string): string | null {
  const first = everyDay(days, today)[0]?.name ?? today;
  const count = (on: readonly HistoryGroup[]) => on.reduce((sum, { sums }) => sum + sums.responses, 0);
  const told = [
    [count(days.filter(({ name }) => name > today)), 'with a future date'],
    [count(days.filter(({ name }) => name < first)), `from before ${first}`],
    [responses - count(days), 'without a time'],
  ] as const;
  const parts = told.flatMap(([number, words]) => (number > 0 ? [`${counted(number, 'answer')} ${words}`] : []));
  return parts.length > 0 ? `Not in the chart: ${parts.join(', ')}.` : null;
}

/** The days of the week, from Monday. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Hours by weekday; null where nothing was answered. */
export function weekOf(hours: readonly HistoryHour[]): (HistoryHour | null)[][] {
  const week = WEEKDAYS.map(() => Array.from({ length: 24 }, (): HistoryHour | null => null));
  for (const one of hours) {
    const day = week[one.weekday];
    if (day && one.hour in day) day[one.hour] = one;
  }
  return week;
}

/** An hour of the week in words. */
export function hourName({ weekday, hour }: Pick<HistoryHour, 'weekday' | 'hour'>): string {
  return `${WEEKDAYS[weekday]}, ${`${hour}`.padStart(2, '0')}:00`;
}
