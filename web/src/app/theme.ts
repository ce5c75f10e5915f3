// Light, dark, or as the system says: one of the settings.
import { type Settings, setting, useSetting } from '../settings/values';

/** The person's choice. */
export type Theme = Settings['window.theme'];

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The theme, for components. */
export const useTheme = (): Theme => useSetting('window.theme');

/** Sets the theme. */
export function setTheme(theme: Theme): void {
  void import('../settings/save').then(({ saveSetting }) => saveSetting('window.theme', theme));
}

/** Goes on to the next theme. */
export function cycleTheme(): void {
  setTheme(THEMES[(THEMES.indexOf(setting('window.theme')) + 1) % THEMES.length] ?? 'system');
}
