// The rows of the settings page: search, groups, words. Pure.
import type { Setting, SettingView } from '../wire/gen/types';

/** The settings that have every word of a query in their title, help, key, group or options. */
export function matching(settings: readonly SettingView[], query: string): SettingView[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter(({ setting }) => {
    const text = textOf(setting);
    return words.every((word) => text.includes(word));
  });
}

/** The settings by their groups, both in the order that they come in. */
export function grouped(settings: readonly SettingView[]): [string, SettingView[]][] {
  const groups = [...new Set(settings.map(({ setting }) => setting.group))];
  return groups.map((group) => [group, settings.filter(({ setting }) => setting.group === group)]);
}

/** A value as people read it. */
export function wordsOf({ kind }: Setting, value: SettingView['value']): string {
  if (kind.type === 'choice') return kind.options.find((option) => option.value === value)?.title ?? String(value);
  if (kind.type === 'switch') return value === true ? 'on' : 'off';
  if (value === '' && kind.type !== 'number') return 'none';
  return String(value);
}

/** The whole number that a text is, if it is one of those that are allowed. */
export function numberIn(text: string, least: number, most: number): number | null {
  const number = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : null;
}

function textOf({ key, title, help, group, kind }: Setting): string {
  const options =
    kind.type === 'choice' || kind.type === 'list'
      ? kind.options.flatMap((option) => [option.title, option.value])
      : [];
  return [title, help, key, group, ...options].join(' ').toLowerCase();
}
