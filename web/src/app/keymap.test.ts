import { expect, it } from 'vitest';
import { ariaKey, type KeyPress, keyLabel, matchesKey } from './keymap';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

it('takes Mod for Ctrl, or Cmd on Macs', () => {
  expect(matchesKey('Mod-k', press('k', { ctrlKey: true }), false)).toBe(true);
  expect(matchesKey('Mod-k', press('k', { metaKey: true }), false)).toBe(false);
  expect(matchesKey('Mod-k', press('k', { metaKey: true }), true)).toBe(true);
});

it('asks for exactly the named modifiers', () => {
  expect(matchesKey('Mod-k', press('K', { ctrlKey: true, shiftKey: true }), false)).toBe(false);
  expect(matchesKey('F6', press('F6', { shiftKey: true }), false)).toBe(false);
  expect(matchesKey('Shift-F6', press('F6', { shiftKey: true }), false)).toBe(true);
});

it('finds Alt with a letter by key position', () => {
  expect(matchesKey('Alt-w', press('∑', { code: 'KeyW', altKey: true }), true)).toBe(true);
  expect(matchesKey('Mod-Shift-\\', press('|', { code: 'Backslash', ctrlKey: true, shiftKey: true }), false)).toBe(
    true,
  );
});

it('takes a character in any keyboard layout', () => {
  expect(matchesKey('?', press('?', { shiftKey: true }), false)).toBe(true);
});

it('names keys for people and for assistive technology', () => {
  expect(keyLabel('Mod-Shift-\\', false)).toBe('Ctrl Shift \\');
  expect(keyLabel('Alt-ArrowLeft', true)).toBe('⌥ ←');
  expect(ariaKey('Mod-k', false)).toBe('Control+k');
});
