import { create } from 'zustand';
import { toggleRegion } from '../app/shell';

/** The key that opens the list of models at the composer. */
export const PICK_KEY = 'Alt-m';

/** What somebody wants to find among the models; the composer opens the list once it is there. Null is nobody. */
export const usePicking = create<{ readonly wanted: string | null }>(() => ({ wanted: null }));

/** Opens the list of models, with these words typed in. */
export function pickModel(words = ''): void {
  toggleRegion('side', true);
  usePicking.setState({ wanted: words });
}
