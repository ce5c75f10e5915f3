// What files show that are not only text: tables, trees of values, pages, players, bytes.
import { expect, test } from 'vitest';
import { inBothThemes } from './axe';
import { eachInWindow } from './each';
import { editor } from './support';

const rows = Array.from({ length: 5000 }, (_, row) => `${row},${['Kiel', 'Bremen', ''][row % 3]},${(row * 7) % 100}.5`);
const TIDES = `id,place,height\n${rows.join('\n')}\n`;
/** How many rows are of Kiel and over 90. */
const HIGH = rows.filter((row) => /,Kiel,9\d\./.test(row)).length;
const PAGE = `<!doctype html><link rel="stylesheet" href="page.css"><h1>Tides</h1>
<script>document.body.append('script ran'); parent.postMessage('out', '*'); fetch('/api/v1/status').catch(() => {})</script>`;

/** A second of silence. */
function wave(): Uint8Array {
  const view = new DataView(new ArrayBuffer(44 + 8000));
  const words = (at: number, text: string) => new Uint8Array(view.buffer).set(Buffer.from(text), at);
  words(0, 'RIFF');
  view.setUint32(4, 36 + 8000, true);
  words(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8000, true);
  view.setUint32(28, 8000, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  words(36, 'data');
  view.setUint32(40, 8000, true);
  return new Uint8Array(view.buffer).fill(128, 44);
}

const at = eachInWindow({
  'tides.csv': TIDES,
  'latin.csv': new Uint8Array([...Buffer.from('name;wert\ncaf'), 0xe9, ...Buffer.from(';1,5\n')]),
  'many.csv': `id,note\n${Array.from({ length: 200_000 }, (_, row) => `${row},note ${row}`).join('\n')}\n`,
  'torn.parquet': 'PAR1 and no more',
  'conf.json': '{"big": 12345678901234567890, "list": [1, {"deep": true}]}\n',
  'broken.json': '{"a": 1,\n "b": [1, 2 3]}\n',
  'ci.yml': 'base: &b {x: 1}\nother: *b\n',
  'page.html': PAGE,
  'page.css': 'h1 { color: rgb(200, 0, 0) }\n',
  'tone.wav': wave(),
  'broken.mp4': new Uint8Array([0, 0, 0, 32, ...Buffer.from('ftypisom'), 0, 0]),
  'data.bin': Uint8Array.from({ length: 200_000 }, (_, place) => place % 256),
});

const open = (name: string) => at.page.getByRole('treeitem', { name, exact: true }).click();
const press = (name: string) => at.page.getByRole('button', { name, exact: true }).click();
const bar = () => at.page.getByRole('toolbar', { name: /^View of/ });
const cell = (text: string) => at.page.getByRole('gridcell', { name: text, exact: true });

test('a table is sorted, filtered and summed up', async () => {
  await open('tides.csv');
  await bar().getByText('5,000 rows · 3 columns').waitFor();
  await inBothThemes(at.page);
  await press('height');
  await at.page.getByRole('columnheader', { name: 'height' }).and(at.page.locator('[aria-sort=ascending]')).waitFor();
  await expect.poll(() => at.page.getByRole('gridcell').nth(2).textContent()).toBe('0.5');
  await press('Filters');
  await at.page.getByLabel('Filter place').fill('=kiel');
  await at.page.getByLabel('Filter height').fill('>90');
  await bar().getByText(`${HIGH} of 5,000 rows`).waitFor();
  await press('Summary');
  await at.page.getByLabel('Column', { exact: true }).selectOption('place');
  await at.page.getByRole('complementary', { name: 'Summary of a column' }).getByText(String(HIGH)).first().waitFor();
  const grid = at.page.getByRole('grid');
  await grid.focus();
  await at.page.keyboard.press('Control+End');
  await at.page.getByText('height, row').waitFor();
  await press('Source');
  await editor(at.page, 'tides.csv').waitFor();
  await press('Table');
  await grid.waitFor();
  await at.workspace.write('tides.csv', 'id,place\n1,Cuxhaven\n');
  await cell('Cuxhaven').waitFor();
  await open('latin.csv');
  await cell('café').waitFor();
  await at.page.getByText('From row 2 of the file on, fields that are not UTF-8 are read as Windows-1252.').waitFor();
});

test('a table is read in parts', async () => {
  const asked: string[] = [];
  at.page.on('request', (request) => request.url().includes('/api/v1/') && asked.push(request.url()));
  await open('many.csv');
  await bar().getByText('200,000 rows · 2 columns').waitFor();
  await at.page.getByRole('grid').focus();
  await at.page.keyboard.press('Control+End');
  await at.page.getByText('note, row 200,000').waitFor();
  await cell('note 199999').waitFor();
  expect(asked.filter((url) => url.includes('files/bytes'))).toEqual([]);
  expect(asked.filter((url) => url.endsWith('tables/rows')).length).toBeLessThan(20);
  await open('torn.parquet');
  await at.page.getByRole('heading', { name: 'torn.parquet can’t be shown' }).waitFor();
  await at.page.getByText('its end is missing').waitFor();
  await inBothThemes(at.page);
});

test('values show as a tree', async () => {
  await open('conf.json');
  await editor(at.page, 'conf.json').waitFor();
  await press('Tree');
  const item = (name: RegExp) => at.page.getByRole('treeitem', { name });
  await item(/^big:\s*12345678901234567890$/).waitFor();
  await press('Expand all');
  await item(/^deep:\s*true$/).click();
  await at.page.getByText('$.list[1].deep').waitFor();
  await inBothThemes(at.page);
  await press('Show in source');
  await editor(at.page, 'conf.json').waitFor();
  await open('broken.json');
  await press('Tree');
  await at.page.getByText('The file can’t be read from line 2, column 13.').waitFor();
  await open('ci.yml');
  await press('Tree');
  await item(/^other:\s*\*b$/).waitFor();
});

test('a page runs its scripts only when asked', async () => {
  await open('page.html');
  await press('Preview');
  const page = at.page.frameLocator('iframe[title="Page page.html"]');
  await expect
    .poll(() => page.locator('h1').evaluate((heading) => getComputedStyle(heading).color))
    .toBe('rgb(200, 0, 0)');
  expect(await page.getByText('script ran').count()).toBe(0);
  await press('Run scripts');
  await page.getByText('script ran').waitFor();
});

test('sound plays, and what does not says so', async () => {
  await open('tone.wav');
  await bar().getByText('0:01').waitFor();
  const audio = at.page.locator('audio');
  await audio.evaluate((element: HTMLAudioElement) => {
    element.currentTime = 0.5;
  });
  await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime)).toBe(0.5);
  await inBothThemes(at.page);
  await open('broken.mp4');
  await at.page.getByRole('heading', { name: 'broken.mp4 can’t be shown' }).waitFor();
  await press('Show the bytes');
  await at.page.getByRole('region', { name: 'Bytes of broken.mp4' }).waitFor();
});

test('bytes are read where they are looked at', async () => {
  await open('data.bin');
  const bytes = at.page.getByRole('region', { name: 'Bytes of data.bin' });
  await bytes.getByText('00000000').waitFor();
  await bytes.focus();
  await at.page.keyboard.press('Control+End');
  await bytes.getByText('00030d30').waitFor();
  await at.page.getByText('Byte 199,999').waitFor();
  await at.page.getByLabel('Go to byte').fill('0x10001');
  await at.page.keyboard.press('Enter');
  await at.page.getByText('Byte 65,537').waitFor();
  await inBothThemes(at.page);
});
