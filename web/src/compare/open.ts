// Opening a comparison: of a file that was chosen before, or with one that is chosen in the palette.
import { create } from 'zustand';
import { openPalette } from '../app/shell';
import { change, focusedTab, openView } from '../frames/store';
import { toast } from '../ui/Toast';
import { type Compared, type Comparison, writeComparison } from './compared';

/** The file that is to be compared with another one. */
export const useSelectedForCompare = create<{ readonly path: string | null }>(() => ({ path: null }));

/** Remembers a file, to be compared with the next one. */
export function selectForCompare(path: string): void {
  useSelectedForCompare.setState({ path });
  toast(`Selected ${path} for compare`);
}

/** Shows what differs between two files or versions. */
export function openComparison(from: Compared, to: Compared): void {
  openView({ kind: 'compare', of: writeComparison({ from, to }) });
}

/** Shows another comparison in the tab of one. */
export function showInstead(tab: string, comparison: Comparison): void {
  openView({ kind: 'compare', of: writeComparison(comparison) });
  if (focusedTab() !== tab) change({ type: 'close', tab });
}

let base = '';

/** Lets the person choose the file that another one is compared with. */
export function chooseComparison(path: string): void {
  base = path;
  openPalette('compare');
}

/** Compares the file that was asked about with the chosen one. */
export function compareWith(path: string): void {
  if (path === base) return toast('Choose another file: this one is the same.');
  openComparison({ path: base }, { path });
}
