// Light, dark, or as the system says; remembered on this machine.
import { create } from 'zustand';

const THEMES = ['system', 'light', 'dark'] as const;
/** The person's choice. */
export type Theme = (typeof THEMES)[number];

const KEY = 'aside.theme';

/** The theme, for components. */
export const useTheme = create<{ theme: Theme }>(() => ({ theme: kept() }));

/** Sets the theme. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  useTheme.setState({ theme });
  applyTheme();
}

/** Goes on to the next theme. */
export function cycleTheme(): void {
  const at = THEMES.indexOf(useTheme.getState().theme);
  setTheme(THEMES[(at + 1) % THEMES.length] ?? 'system');
}

/** Puts the choice on the page; called before anything is shown. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = useTheme.getState().theme;
}

function kept(): Theme {
  const value = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === value) ?? 'system';
}
