import { expect, it } from 'vitest';
import type { SettingView } from '../wire/gen/types';
import { grouped, matching, numberIn, wordsOf } from './search';

const theme: SettingView = {
  setting: {
    key: 'window.theme',
    title: 'Theme',
    help: 'The colours of Aside.',
    group: 'Window',
    kind: { type: 'choice', default: 'light', options: [{ value: 'dark', title: 'Dark' }] },
    scope: 'person',
  },
  value: 'dark',
  changed: true,
  overridden: false,
};
const wrap: SettingView = {
  ...theme,
  setting: {
    ...theme.setting,
    key: 'editor.word_wrap',
    title: 'Word wrap',
    help: 'Wraps.',
    group: 'Editor',
    kind: { type: 'switch', default: false },
  },
  value: false,
};

it('search reads titles, help, keys and options', () => {
  const found = (query: string) => matching([theme, wrap], query).map(({ setting }) => setting.key);
  expect(found('')).toEqual(['window.theme', 'editor.word_wrap']);
  expect(found('COLOURS dark')).toEqual(['window.theme']);
  expect(found('editor.wo')).toEqual(['editor.word_wrap']);
  expect(found('dark wrap')).toEqual([]);
});

it('groups settings in their order', () => {
  expect(grouped([wrap, theme]).map(([group, rows]) => [group, rows.length])).toEqual([
    ['Editor', 1],
    ['Window', 1],
  ]);
});

it('takes only whole numbers within the limits', () => {
  expect(numberIn(' 14 ', 8, 40)).toBe(14);
  for (const text of ['', '7', '41', '9.5', '1e1', '-9', 'x']) expect(numberIn(text, 8, 40)).toBe(null);
});

it('has words for values', () => {
  expect([wordsOf(theme.setting, 'dark'), wordsOf(wrap.setting, true), wordsOf(wrap.setting, false)]).toEqual([
    'Dark',
    'on',
    'off',
  ]);
});
