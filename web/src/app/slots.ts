// The parts of the window that are loaded when first needed.
import { wanted } from '../ui/needed';
import { part } from '../ui/part';

/** What is beside the document. */
export const Side = part(async () => ({ default: (await import('../side/Side')).Side }));

/** The assistant: threads, cards, composer. */
export const Assistant = part(() => import('../threads/Assistant'));

/** The panel of the sentence from the palette. */
export const QuickPanel = part(() => import('../ask/QuickPanel'));

/** The question before a button's action. */
export const ConfirmDialog = part(async () => ({ default: (await import('./ConfirmDialog')).ConfirmDialog }));

/** The way in for a page that has no session. */
export const Entrance = part(async () => ({ default: (await import('./Entrance')).Entrance }));

/** The question for a guest's name. */
export const AskName = part(async () => ({ default: (await import('../chat/YourName')).AskName }));

/** The field for a new link: it is needed only where the server answers. */
export const TokenForm = part(() => wanted(async () => ({ default: (await import('./TokenForm')).TokenForm })));

/** The costs of today, in the status bar. */
export const Today = part(() => wanted(async () => ({ default: (await import('./Today')).Today })));

/** All keys, for who asks for them. */
export const KeysHelp = part(async () => ({ default: (await import('./KeysHelp')).KeysHelp }));

/** What is kept of a document. */
export const VersionsDialog = part(() => import('../files/VersionsDialog'));

const loadPalette = () => import('../ask/Palette');

/** One field for everything. */
export const Palette = part(loadPalette);

/** Milliseconds for which what the address names has the network to itself: a page that waits for answers seems idle, too. */
const FIRST = 1500;

/** Loads the palette while nothing else is to be done. */
export function preloadPalette(): void {
  // If nobody answers now, it is loaded when it is wanted.
  const load = () => void loadPalette().catch(() => {});
  setTimeout(() => {
    if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 5000 });
    else load();
  }, FIRST);
}
