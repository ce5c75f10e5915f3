// The parts of the live preview, which are loaded together with the first Markdown file.
import type { Extension } from '@codemirror/state';
import { loadFileLanguage } from '../editor/langs';
import { wanted } from '../ui/needed';

interface Loaded {
  readonly language: Extension | null;
  readonly livePreview: (path: string) => Extension;
  readonly noteWriting: (path: string) => Extension;
}

let loading: Promise<Loaded> | null = null;
let loaded: Loaded | null = null;

/** Loads them once. */
export function loadPreview(): Promise<Loaded> {
  loading ??= Promise.all([loadFileLanguage('markdown'), wanted(() => import('./preview'))]).then(
    ([language, { livePreview, noteWriting }]) => {
      loaded = { language, livePreview, noteWriting };
      return loaded;
    },
  );
  return loading;
}

/** The parts, if they are here. */
export const loadedPreview = (): Loaded | null => loaded;

/** Milliseconds that a text waits for its look; after that it is shown as it is written, until the look is here. */
const PATIENCE = 1200;

/** Returns when the parts are here, or late. */
export async function previewInTime(): Promise<void> {
  await Promise.race([loadPreview(), new Promise((late) => setTimeout(late, PATIENCE))]);
}
