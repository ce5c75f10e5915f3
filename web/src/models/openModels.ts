import { toggleRegion, useShell } from '../app/shell';
import { openView } from '../frames/store';

/** Shows the page of models; in a narrow window the side lies over it, and goes. */
export function openModels(): void {
  if (useShell.getState().width === 'narrow') toggleRegion('side', false);
  openView({ kind: 'models' });
}
