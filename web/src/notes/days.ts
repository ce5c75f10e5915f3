// Names and places of daily notes. Pure.

const two = (number: number) => String(number).padStart(2, '0');

/** A day as daily notes are named: `2026-11-27`. */
export const dayName = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** The time of a day: `09:05`. */
export const timeName = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}`;

/** The folder of a workspace without daily notes. */
const FIRST = 'daily';

/** The folder for a new daily note: that of the latest one, so that a vault goes on where it is. */
export function dailyFolder(paths: readonly string[]): string {
  const days = paths.flatMap((path) => {
    const found = /^(?:(.*)\/)?(\d{4}-\d{2}-\d{2})\.md$/.exec(path);
    return found ? [{ folder: found[1] ?? '', day: found[2] ?? '' }] : [];
  });
  return days.toSorted((one, other) => one.day.localeCompare(other.day)).at(-1)?.folder ?? FIRST;
}
