// The person's settings, as this window knows them. The server tells every window of each change. A copy stays in the browser,
// so that the first paint is right; a guest, whose settings the server does not keep, has that copy alone.
//
// A new setting: a row in `aside-core/src/settings.rs`, its type and default here, and a reader. A test holds all three together.
import { create } from 'zustand';
import { connection } from '../wire/connection';

/** The type of each setting. */
export interface Settings {
  'editor.font_size': number;
  'editor.line_numbers': boolean;
  'editor.word_wrap': boolean;
  'editor.tab_size': number;
  'editor.keymap': 'default' | 'vim' | 'emacs';
  'notebook.line_numbers': boolean;
  'notes.daily_folder': string;
  'search.model': string;
  'workspace.colour': 'none' | 'red' | 'orange' | 'yellow' | 'green' | 'teal' | 'blue' | 'purple' | 'pink';
  'launcher.cards': string;
  'window.theme': 'system' | 'light' | 'dark';
  'window.zoom': number;
  'window.reduce_motion': boolean;
  'assistant.send_with': 'enter' | 'ctrl_enter';
}

/** A value of any setting. */
export type SettingValue = Settings[keyof Settings];

/** The defaults, which hold until the server has answered. */
export const DEFAULTS: Readonly<Settings> = {
  'editor.font_size': 13,
  'editor.line_numbers': true,
  'editor.word_wrap': false,
  'editor.tab_size': 4,
  'editor.keymap': 'default',
  'notebook.line_numbers': false,
  'notes.daily_folder': '',
  'search.model': '',
  'workspace.colour': 'none',
  'launcher.cards': 'notebook, file, daily, open, note, terminal, app',
  'window.theme': 'system',
  'window.zoom': 100,
  'window.reduce_motion': false,
  'assistant.send_with': 'enter',
};

const KEY = 'aside.settings';

/** The settings that are not at their default. */
export const useSettings = create<{ set: Partial<Settings> }>(() => ({ set: kept() }));

/** Returns the value of a setting now. */
export function setting<K extends keyof Settings>(key: K): Settings[K] {
  return (useSettings.getState().set[key] ?? DEFAULTS[key]) as Settings[K];
}

/** The value of a setting, for components. */
export function useSetting<K extends keyof Settings>(key: K): Settings[K] {
  return useSettings(({ set }) => (set[key] ?? DEFAULTS[key]) as Settings[K]);
}

/** Takes over the settings that are set. */
export function takeSettings(set: Partial<Settings>): void {
  localStorage.setItem(KEY, JSON.stringify(set));
  useSettings.setState({ set });
}

/** Puts the look of the window on the page, now and after each change; called before anything is shown. */
export function applySettings(): void {
  apply();
  useSettings.subscribe(apply);
  connection.on('settings', ({ values }) => {
    takeSettings(values as Partial<Settings>);
    if ('aside.theme' in localStorage) void import('./oldTheme').then(({ takeOverTheme }) => takeOverTheme());
  });
}

function apply(): void {
  const { dataset, style } = document.documentElement;
  dataset.theme = setting('window.theme');
  dataset.motion = setting('window.reduce_motion') ? 'reduced' : '';
  const zoom = setting('window.zoom');
  style.fontSize = zoom === 100 ? '' : `${zoom}%`;
  style.setProperty('--tab-size', String(setting('editor.tab_size')));
  style.setProperty('--text-editor', `${setting('editor.font_size') / 16}rem`);
}

function kept(): Partial<Settings> {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>) ?? {};
  } catch {
    return {};
  }
}
