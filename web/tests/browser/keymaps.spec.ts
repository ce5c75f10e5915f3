// The keys of other editors, in files and cells.
import { expect, it } from 'vitest';
import { eachOn } from './each';
import { editor, openFromTree, openWindow } from './support';

const CELL = { cell_type: 'code', execution_count: null, id: 'one', metadata: {}, outputs: [], source: ['a = 1'] };
const at = eachOn({
  'model.py': 'x = 0\ny = 1\n',
  'cells.ipynb': JSON.stringify({ cells: [CELL], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
});

async function choose(keys: string) {
  const page = await openWindow(at.browser, at.server);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Keys of the editor', { exact: true }).selectOption(keys);
  await openFromTree(page, 'model.py');
  await editor(page, 'model.py').click();
  return page;
}
const file = () => expect.poll(() => at.workspace.read('model.py'));

it('Vim edits, undoes and leaves cells', async () => {
  const page = await choose('vim');
  await page.getByText('--NORMAL--').waitFor();
  await page.keyboard.type('ggddpiz = ');
  await page.keyboard.press('Escape');
  await file().toBe('y = 1\nz = x = 0\n');
  await page.keyboard.type('uuu');
  await file().toBe('x = 0\ny = 1\n');
  await page.keyboard.type(':q');
  await page.keyboard.press('Enter');
  await editor(page, 'model.py').waitFor({ state: 'detached' });
  await page.getByRole('treeitem', { name: 'cells.ipynb' }).click();
  await page.locator('.cm-content').click();
  await page.locator('.cm-vimMode').waitFor();
  await page.keyboard.type('ib = ');
  const inCell = () => page.evaluate(() => document.activeElement?.closest('.cm-editor') !== null);
  await page.keyboard.press('Escape');
  expect(await inCell()).toBe(true);
  await page.keyboard.press('Escape');
  expect(await inCell()).toBe(false);
  expect(await page.getByText('--NORMAL--').count()).toBe(0);
});

it('Emacs kills, yanks and undoes', async () => {
  const page = await choose('emacs');
  await page.locator('.cm-emacsMode').waitFor();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+k');
  await file().toBe('\ny = 1\n');
  await page.keyboard.press('Control+y');
  await file().toBe('x = 0\ny = 1\n');
  await page.keyboard.press('Control+/');
  await file().toBe('\ny = 1\n');
});
