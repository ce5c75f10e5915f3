/** Where somebody was in the PDF of a tab, for as long as the window is open. */
import type { Zoom } from './zoom';

/** What is kept of a tab. */
export interface PdfPlace {
  zoom: Zoom;
  dark: boolean;
  /** Pixels from the top. */
  top: number;
}

const places = new Map<string, PdfPlace>();

/** What is kept of a tab. */
export function keptPlace(tab: string): PdfPlace | undefined {
  return places.get(tab);
}

/** Keeps it. */
export function keepPlace(tab: string, place: PdfPlace): void {
  places.set(tab, place);
}
