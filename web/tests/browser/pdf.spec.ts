// Finding words on the pages of a PDF, from the keyboard.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBothThemes } from './axe';
import { eachOn } from './each';
import { openWindow } from './support';

/** A PDF with a line or more on each page. */
function pdf(pages: readonly (readonly string[])[]): string {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const kids: number[] = [];
  for (const lines of pages) {
    const drawn = lines.map((line, at) => `BT /F1 18 Tf 72 ${700 - at * 24} Td (${line}) Tj ET`).join('\n');
    objects.push(`<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`);
    const content = objects.length;
    const rest = '/Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>';
    objects.push(`<< /Type /Page ${rest} /Contents ${content} 0 R >>`);
    kids.push(objects.length);
  }
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;
  let text = '%PDF-1.4\n';
  const places: number[] = [];
  for (const [index, object] of objects.entries()) {
    places.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}

const filler = Array.from({ length: 40 }, (_, page) => [
  `Page ${page + 1}`,
  page % 10 === 9 ? 'The harbour at night' : 'sand',
]);
const at = eachOn({
  'tides.pdf': pdf([['Tides of a small Harbour', 'a propo-', 'sal'], ...filler]),
  'empty.pdf': pdf([[], []]),
});

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('treeitem', { name, exact: true }).click();
  const pages = page.getByRole('region', { name: `Pages of ${name}` });
  await pages.waitFor();
  await pages.focus();
}

const marks = (page: Page) => page.locator('[data-page-number] [data-now]');

describe('a PDF', () => {
  it('is searched from the keyboard, round and round', async () => {
    const page = await openWindow(at.browser, at.server);
    await open(page, 'tides.pdf');
    await page.keyboard.press('Control+f');
    const field = page.getByRole('textbox', { name: 'Find in PDF' });
    const said = page.getByRole('search').getByRole('status');
    await field.fill('HARBOUR');
    await expect.poll(() => said.textContent()).toBe('1 of 5');
    await expect.poll(() => marks(page).count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => said.textContent()).toBe('2 of 5');
    const now = page.locator('[data-page-number="11"] [data-now]');
    await now.waitFor();
    await expect.poll(() => now.evaluate((mark) => mark.getBoundingClientRect().top > 0)).toBe(true);
    await inBothThemes(page);
    await field.press('Shift+Enter');
    await field.press('Shift+Enter');
    await expect.poll(() => said.textContent()).toBe('5 of 5');
    await page.getByRole('button', { name: 'Next match' }).click();
    await expect.poll(() => said.textContent()).toBe('1 of 5');
    await field.fill('proposal');
    await expect.poll(() => said.textContent()).toBe('1 of 1');
    await expect.poll(() => marks(page).count()).toBeGreaterThan(0);
    await field.fill('whale');
    await expect.poll(() => said.textContent()).toBe('No matches');
    expect(await page.getByRole('button', { name: 'Next match' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('search').count()).toBe(0);
    const focused = page.getByRole('region', { name: 'Pages of tides.pdf' });
    expect(await focused.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

const top = (pages: Locator) => pages.evaluate((element) => element.scrollTop);

/** Scrolls to somewhere within a page, as a person does; returns where that is once it is drawn. */
async function goInto(pages: Locator, number: number): Promise<number> {
  await pages.evaluate((element, wanted) => {
    const page = element.querySelector<HTMLElement>(`[data-page-number="${wanted}"]`);
    element.scrollTop = (page?.offsetTop ?? 0) + 123;
  }, number);
  await pages.getByText(`Page ${number - 1}`, { exact: true }).waitFor();
  return top(pages);
}

it('keeps its place when another program writes the file, page by page', async () => {
  const page = await openWindow(at.browser, at.server);
  await open(page, 'tides.pdf');
  const pages = page.getByRole('region', { name: 'Pages of tides.pdf' });
  const before = await goInto(pages, 12);
  const whole = pdf([['Anew'], ...filler.map(([name]) => [name ?? '', 'made anew'])]);
  at.workspace.write('tides.pdf', pdf([['Anew'], ['half of it']]));
  await page.getByText(/of 2$/).waitFor();
  at.workspace.write('tides.pdf', whole);
  const twelfth = pages.locator('[data-page-number="12"]');
  await twelfth.getByText('made anew', { exact: true }).waitFor();
  expect(Math.abs((await top(pages)) - before)).toBeLessThan(2);
  expect(await page.getByRole('textbox', { name: 'Page' }).inputValue()).toBe('12');
});

it('keeps its place at another size, and while its tab is out of sight', async () => {
  const page = await openWindow(at.browser, at.server);
  await open(page, 'tides.pdf');
  const pages = page.getByRole('region', { name: 'Pages of tides.pdf' });
  const before = await goInto(pages, 12);
  const number = page.getByRole('textbox', { name: 'Page' });
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => top(pages)).not.toBe(before);
  expect(await number.inputValue()).toBe('12');
  const larger = await top(pages);
  await page.getByRole('treeitem', { name: 'empty.pdf', exact: true }).click();
  await page.getByRole('region', { name: 'Pages of empty.pdf' }).waitFor();
  await page.getByRole('tab', { name: 'tides.pdf' }).click();
  await pages.getByText('Page 11', { exact: true }).waitFor();
  expect(Math.abs((await top(pages)) - larger)).toBeLessThan(2);
  await page.getByTitle('Fit to width').click();
  await expect.poll(async () => Math.abs((await top(pages)) - before)).toBeLessThan(2);
});

it('says of pages without words that there are none', async () => {
  const page = await openWindow(at.browser, at.server);
  await open(page, 'empty.pdf');
  await page.getByRole('button', { name: 'Find in PDF' }).click();
  await page.getByText('This PDF has no text').waitFor();
});
