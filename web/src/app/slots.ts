// The parts of the window that other features fill, loaded when first needed.
import { lazy } from 'react';
import type { PaletteMode } from './shell';

type Module<Props> = { default: React.ComponentType<Props> };

function slot<Props extends object>(found: Record<string, () => Promise<unknown>>) {
  const load = Object.values(found)[0] as (() => Promise<Module<Props>>) | undefined;
  return load ? lazy(load) : null;
}

/** The side: threads, cards, composer. */
export const Assistant = slot<object>(import.meta.glob('../threads/Assistant.tsx'));

/** The palette; `onClose` gives the focus back. */
export const Palette = slot<{ mode: PaletteMode; onClose(): void }>(import.meta.glob('../ask/Palette.tsx'));
