// Days and times as ipywidgets sends them and as fields of the page hold them. Pure.
//
//   {year: 2026, month: 10, date: 22}                          <-> "2026-11-22"   (their months begin at 0)
//   {hours: 9, minutes: 5, seconds: 0, milliseconds: 0}        <-> "09:05"
//   both together                                              <-> "2026-11-22T09:05"
//
// A time with a zone comes in UTC and is shown as the clock of the person goes.

/** What a field holds. */
export type Moment = 'date' | 'time' | 'datetime-local';

/** A value of ipywidgets as a field holds it; empty for none. */
export function toField(value: unknown, moment: Moment, utc = false): string {
  const parts = partsIn(value);
  if (parts === null) return '';
  const { year = 1970, month = 0, date = 1, hours = 0, minutes = 0, seconds = 0 } = parts;
  const all = utc ? new Date(Date.UTC(year, month, date, hours, minutes, seconds)) : null;
  const day = all
    ? `${padded(all.getFullYear(), 4)}-${padded(all.getMonth() + 1)}-${padded(all.getDate())}`
    : `${padded(year, 4)}-${padded(month + 1)}-${padded(date)}`;
  const [h, m, s] = all ? [all.getHours(), all.getMinutes(), all.getSeconds()] : [hours, minutes, seconds];
  const time = `${padded(h)}:${padded(m)}${s ? `:${padded(s)}` : ''}`;
  return moment === 'date' ? day : moment === 'time' ? time : `${day}T${time}`;
}

/** What a field holds as ipywidgets wants it; null for an empty one. */
export function fromField(text: string, moment: Moment, utc = false): Record<string, number> | null {
  const found = /^(?:(\d{4,})-(\d\d)-(\d\d))?T?(?:(\d\d):(\d\d)(?::(\d\d))?)?/.exec(text);
  if (!found || text === '') return null;
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const day = { year, month: month - 1, date };
  const time = { hours, minutes, seconds, milliseconds: 0 };
  if (moment === 'date') return day;
  if (moment === 'time') return time;
  if (!utc) return { ...day, ...time };
  const all = new Date(year, month - 1, date, hours, minutes, seconds);
  return {
    year: all.getUTCFullYear(),
    month: all.getUTCMonth(),
    date: all.getUTCDate(),
    hours: all.getUTCHours(),
    minutes: all.getUTCMinutes(),
    seconds: all.getUTCSeconds(),
    milliseconds: 0,
  };
}

function partsIn(value: unknown): Record<string, number> | null {
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).filter(([, part]) => typeof part === 'number' && Number.isFinite(part)),
  );
}

const padded = (value: number, width = 2) => String(value).padStart(width, '0');
