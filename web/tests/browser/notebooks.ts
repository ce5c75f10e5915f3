// What tests of notebooks share: a notebook, a window on it, its cells.
import type { Page } from 'playwright-core';
import type { Each } from './each';
import { openWindow } from './support';

const cell = (id: string, cell_type: string, source: string, rest: object = {}) => ({
  cell_type,
  id,
  metadata: {},
  source,
  ...rest,
});
/** A cell of code, with what it put out. */
export const code = (id: string, source: string, outputs: readonly object[] = []) =>
  cell(id, 'code', source, { execution_count: null, outputs });

/** A cell that a model answers, with what it answered. */
export const ai = (id: string, source: string, outputs: readonly object[] = []) =>
  cell(id, 'code', source, { metadata: { aside: { cell: 'ai' } }, execution_count: null, outputs });

/** A cell of Markdown. */
export const text = (id: string, source: string) => cell(id, 'markdown', source);

const METADATA = { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } };

/** The file of a notebook with these cells. */
export const notebookOf = (cells: readonly object[], metadata: object = {}) =>
  `${JSON.stringify({ cells, metadata: { ...METADATA, ...metadata }, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;

/** Text, two cells of code, and a raw one. */
export const NOTEBOOK = notebookOf([
  text('intro', '# Tides\n\nHeights by *harmonic* analysis.'),
  code('first', "print('hello')"),
  code('second', 'x = 1'),
  cell('plain', 'raw', 'as it is'),
]);

/** One of 300 cells. */
export const LONG = notebookOf(Array.from({ length: 300 }, (_, at) => code(`c${at}`, `x = ${at}\nprint(x)`)));

/** Opens `tides.ipynb` in a window of its own. */
export async function openNotebook(at: Each, options: Parameters<typeof openWindow>[2] = {}): Promise<Page> {
  const page = await openWindow(at.browser, at.server, { path: 'w/x/f/tides.ipynb', ...options });
  await cells(page).first().waitFor();
  return page;
}

/** Its cells. */
export const cells = (page: Page) => page.getByRole('feed', { name: 'Cells of tides.ipynb' }).getByRole('article');

/** One of them, by its id in the file. */
export const cellOf = (page: Page, id: string) => page.locator(`[data-cell="${id}"]`);

/** Puts the keyboard onto a cell. */
export const go = (page: Page, id: string) => cellOf(page, id).focus();
