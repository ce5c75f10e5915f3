/** From the source to the page and back. */
import { create } from 'zustand';
import { openBeside } from '../frames/store';
import { toast, toastFailure } from '../ui/Toast';
import type { LatexAreas, LatexSource, PageArea } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';

/** What a PDF is asked to show; `count` tells a second asking from the first. */
export interface PdfWish {
  areas: readonly PageArea[];
  count: number;
}

/** The wishes, by the PDF's path. */
export const usePdfWishes = create<Readonly<Record<string, PdfWish>>>(() => ({}));

/** Shows where a line of the source is on the page; the keyboard stays where it is. */
export async function showInPdf(path: string, line: number): Promise<void> {
  try {
    const query = new URLSearchParams({ path, line: String(line) });
    const { pdf, areas } = await request<LatexAreas>('GET', `latex/areas?${query}`);
    if (areas.length === 0) return void toast(`Line ${line} is not on any page`);
    const count = (usePdfWishes.getState()[pdf]?.count ?? 0) + 1;
    usePdfWishes.setState({ [pdf]: { areas, count } });
    openBeside({ kind: 'file', path: pdf }, { focus: false });
  } catch (error) {
    toastFailure(failureOf(error));
  }
}

/** Goes to the source of a point of a page, in points from its upper left corner. */
export async function goToSource(pdf: string, page: number, x: number, y: number): Promise<void> {
  try {
    const query = new URLSearchParams({ path: pdf, page: String(page), x: x.toFixed(2), y: y.toFixed(2) });
    const { path, line } = await request<LatexSource>('GET', `latex/source?${query}`);
    if (path === null) toast('No source file in this workspace produced this part of the page');
    else openBeside({ kind: 'file', path }, { line: line ?? undefined });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code !== 'not_built') toastFailure(failure);
  }
}
