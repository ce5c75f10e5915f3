// Key names: `Mod-Shift-k`, `Alt-ArrowLeft`, `F6`, `?`. Pure but for the platform.

const MODIFIERS = ['Mod', 'Ctrl', 'Alt', 'Shift'] as const;
type Modifier = (typeof MODIFIERS)[number];

/** What of a key event counts. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** On a Mac, Mod is Cmd. */
export const isMac = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.platform);

/** Tells whether a key press is the named key. */
export function matchesKey(name: string, event: KeyPress, mac = isMac): boolean {
  const { modifiers, key } = parse(name);
  const wanted = {
    ctrl: modifiers.has('Ctrl') || (!mac && modifiers.has('Mod')),
    meta: mac && modifiers.has('Mod'),
    alt: modifiers.has('Alt'),
  };
  if (event.ctrlKey !== wanted.ctrl || event.metaKey !== wanted.meta || event.altKey !== wanted.alt) return false;
  if (isLetterOrDigit(key)) {
    // By place on the keyboard: with Alt, many layouts turn letters into other characters.
    return event.shiftKey === modifiers.has('Shift') && (event.key.toLowerCase() === key || event.code === codeOf(key));
  }
  // Which characters need Shift is the layout's business, unless Shift is asked for.
  if (key.length === 1 && !modifiers.has('Shift')) return event.key === key;
  return event.shiftKey === modifiers.has('Shift') && (event.key === key || event.code === CODES[key]);
}

/** The key as it is written for people: `Ctrl K`, `⌘ K`. */
export function keyLabel(name: string, mac = isMac): string {
  const { modifiers, key } = parse(name);
  const words = MODIFIERS.filter((modifier) => modifiers.has(modifier)).map((modifier) => modifierLabel(modifier, mac));
  return [...words, LABELS[key] ?? (key.length === 1 ? key.toUpperCase() : key)].join(' ');
}

/** The key for `aria-keyshortcuts`. */
export function ariaKey(name: string, mac = isMac): string {
  return name
    .replace('Mod', mac ? 'Meta' : 'Control')
    .replace('Ctrl', 'Control')
    .replaceAll('-', '+');
}

const LABELS: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
  ' ': 'Space',
};
const CODES: Record<string, string> = { '\\': 'Backslash', '.': 'Period', ']': 'BracketRight', '[': 'BracketLeft' };

function modifierLabel(modifier: Modifier, mac: boolean): string {
  if (!mac) return modifier === 'Mod' ? 'Ctrl' : modifier;
  return { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' }[modifier];
}

function parse(name: string): { modifiers: Set<Modifier>; key: string } {
  const parts = name.split(/-(?!$)/);
  const key = parts.pop() ?? '';
  return { modifiers: new Set(parts as Modifier[]), key };
}

function isLetterOrDigit(key: string): boolean {
  return /^[a-z0-9]$/.test(key);
}

function codeOf(key: string): string {
  return /\d/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`;
}
