import { create } from 'zustand';
import { toggleRegion } from '../app/shell';

/** The key that opens the list of models at the composer. */
export const PICK_KEY = 'Alt-m';

/** Somebody wants to choose a model; the composer opens the list once it is there. */
export const usePicking = create<{ readonly wanted: boolean }>(() => ({ wanted: false }));

/** Opens the list of models. */
export function pickModel(): void {
  toggleRegion('side', true);
  usePicking.setState({ wanted: true });
}
