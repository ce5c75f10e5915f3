// What the address names is loaded, and asked for, while the session is still being opened and the arrangement is read.
import { preloadFiles } from '../frames/panes';
import { basePath } from './base';
import { parseRoute } from './routes';

/** Milliseconds for which a notebook is held open until a pane shows it. */
const HELD = 10_000;

/** Loads what shows the file that the address names; a notebook, which is much to send, is asked for as soon as can be. */
export function loadAhead(address: string): void {
  const route = parseRoute(address.slice(basePath.length));
  if (route.kind !== 'file') return;
  const { path } = route;
  preloadFiles();
  // What fails here is asked for again where it is shown, and told of there.
  const ignored = () => {};
  void import('../editor/FileView').then(({ preloadFor }) => preloadFor(path)).catch(ignored);
  if (/\.ipynb$/i.test(path)) void hold(path).catch(ignored);
}

async function hold(path: string): Promise<void> {
  // The page is asked for beside the document, not after it.
  void import('../notebook/Notebook').catch(() => {});
  const { openDocument } = await import('../documents/provider');
  const { close } = openDocument({ kind: 'file', path });
  setTimeout(close, HELD);
}
