// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { isSendKey } from './sendKey';
import { applySettings, DEFAULTS, type Settings, setting, takeSettings, useSettings } from './values';

beforeEach(() => takeSettings({}));

/** Every source file of the UI but this folder's table, as text. */
function sources(folder = 'src'): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(path) && !/\.test\.|\/gen\//.test(path) ? [readFileSync(path, 'utf8')] : [];
  });
}

/** Settings that only the server reads. */
const OF_SERVER = ['search.model'];

it('has a reader for each setting', () => {
  const all = sources().join('\n');
  for (const key of Object.keys(DEFAULTS).filter((key) => !OF_SERVER.includes(key))) {
    const reads = new RegExp(`(setting|useSetting)\\('${key}'\\)`);
    expect(reads.test(all), `nothing reads ${key}`).toBe(true);
  }
});

it('has the keys and defaults of the server', () => {
  const rows = readFileSync('../docs/settings.md', 'utf8').matchAll(/^\| `(\w+\.\w+)` \|.*\| `([^`]*)` \|$/gm);
  const documented = Object.fromEntries([...rows].map(([, key, value]) => [key, JSON.parse(value ?? '')]));
  expect(DEFAULTS).toEqual(documented);
});

it('the page changes with the settings', () => {
  applySettings();
  const { dataset, style } = document.documentElement;
  expect([dataset.theme, dataset.motion]).toEqual(['system', '']);
  takeSettings({
    'window.theme': 'dark',
    'window.reduce_motion': true,
    'editor.font_size': 16,
  });
  expect([dataset.theme, dataset.motion]).toEqual(['dark', 'reduced']);
  expect(style.getPropertyValue('--text-editor')).toBe('1rem');
});

it('keeps what is set in this browser', () => {
  takeSettings({ 'editor.font_size': 20 });
  expect(JSON.parse(localStorage.getItem('aside.settings') ?? '')).toEqual({ 'editor.font_size': 20 });
  expect([setting('editor.font_size'), setting('editor.tab_size')]).toEqual([20, DEFAULTS['editor.tab_size']]);
  expect(useSettings.getState().set).toEqual({ 'editor.font_size': 20 } satisfies Partial<Settings>);
});

it('the set key sends a message', () => {
  const press = (keys: object) =>
    isSendKey({ key: 'Enter', shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, ...keys });
  expect([press({}), press({ ctrlKey: true }), press({ shiftKey: true }), press({ key: 'a' })]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  takeSettings({ 'assistant.send_with': 'ctrl_enter' });
  expect([press({}), press({ ctrlKey: true }), press({ metaKey: true })]).toEqual([false, true, true]);
});
