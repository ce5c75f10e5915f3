// The theme that an earlier Aside kept in this browser, taken over as a setting once.
import { saveSetting } from './save';
import { useSettings } from './values';

const KEY = 'aside.theme';

/** Makes the theme of an earlier version the setting, unless one is set. */
export async function takeOverTheme(): Promise<void> {
  const theme = localStorage.getItem(KEY);
  localStorage.removeItem(KEY);
  const isSet = useSettings.getState().set['window.theme'] !== undefined;
  if (!isSet && (theme === 'light' || theme === 'dark')) await saveSetting('window.theme', theme);
}
