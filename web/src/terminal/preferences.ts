// What a person chose about terminals in this browser.
import { create } from 'zustand';

interface TerminalPreferences {
  /** Output is told to screen readers as it comes; it costs some speed. */
  readonly screenReader: boolean;
  /** A paste of several lines is asked about. */
  readonly askPaste: boolean;
  /** Tab goes on to the next control, and not to the program. */
  readonly tabMoves: boolean;
}

const KEY = 'aside.terminal';
const FIRST: TerminalPreferences = { screenReader: false, askPaste: true, tabMoves: false };

/** The choices, for components. */
export const useTerminalPreferences = create<TerminalPreferences>(() => ({ ...FIRST, ...kept() }));

/** Chooses something, also for the next time. */
export function choosePreference(choice: Partial<TerminalPreferences>): void {
  useTerminalPreferences.setState(choice);
  localStorage.setItem(KEY, JSON.stringify(useTerminalPreferences.getState()));
}

function kept(): Partial<TerminalPreferences> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return Object.fromEntries(
      Object.entries(found ?? {}).filter(([name, value]) => name in FIRST && typeof value === 'boolean'),
    );
  } catch {
    return {};
  }
}
