// The parts of the window that are loaded when first needed.
import { lazy } from 'react';

/** What is beside the document. */
export const Side = lazy(() => import('../side/Side').then((module) => ({ default: module.Side })));

/** The assistant: threads, cards, composer. */
export const Assistant = lazy(() => import('../threads/Assistant'));

/** All keys, for who asks for them. */
export const KeysHelp = lazy(() => import('./KeysHelp').then((module) => ({ default: module.KeysHelp })));

const loadPalette = () => import('../ask/Palette');

/** One field for everything. */
export const Palette = lazy(loadPalette);

/** Loads the palette while nothing else is to be done. */
export function preloadPalette(): void {
  // If nobody answers now, it is loaded when it is wanted.
  const load = () => void loadPalette().catch(() => {});
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 5000 });
  else setTimeout(load, 2000);
}
