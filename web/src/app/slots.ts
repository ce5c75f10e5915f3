// The parts of the window that are loaded when first needed.
import { lazy } from 'react';

/** The side: threads, cards, composer. */
export const Assistant = lazy(() => import('../threads/Assistant'));

/** One field for everything. */
export const Palette = lazy(() => import('../ask/Palette'));
