// Search, and find in files, with the real index and the real files.
import { describe, expect, test } from 'vitest';
import { everywhere, inBothThemes } from './axe';
import { eachInWindow } from './each';
import { cellOf, code, notebookOf, text } from './notebooks';
import { editor, frames, openFromTree, textOf } from './support';

const WORDS = 'The quay wall was mended.\n\n';
const at = eachInWindow({
  'log.md': `# Log\n\n${'Nothing.\n\n'.repeat(80)}## Harbour\n\n${WORDS}`,
  'plan.md': '# Plan\n\n- [ ] paint the quay #work\n',
  'code/quay.py': 'def quay(height):\n    return height\n\nprint(quay(1))\n',
  'runs.ipynb': notebookOf([text('intro', '# Runs'), code('one', 'x = 1'), code('two', 'breakwater = 2')]),
  'notes/many.txt': 'a grain of sand\n'.repeat(900),
  ...Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`sand/${n}.txt`, 'one grain of sand\n'.repeat(900)])),
});

const box = () => at.page.getByRole('combobox', { name: 'Search' });
const hits = () => at.page.getByRole('listbox', { name: 'Results' }).getByRole('option');
const line = (number: number) => at.page.getByRole('contentinfo').getByText(`Line ${number}`, { exact: true });

/** Searches until the index has read the files. */
async function search(words: string): Promise<void> {
  await at.page.keyboard.press('Alt+f');
  await box().fill(words);
  await hits().first().waitFor({ timeout: 20_000 });
}

describe('search', () => {
  test('a hit opens at its line', async () => {
    await search('quay wall');
    const card = at.page.getByRole('group', { name: 'Log' });
    await card.getByText('Harbour').waitFor();
    expect((await card.locator('mark').allTextContents()).join(' ')).toBe('quay wall');
    await at.page.getByText('Finds words only.', { exact: false }).waitFor();
    await everywhere(at.page);
    await box().press('Enter');
    await editor(at.page, 'log.md').getByText('The quay wall').waitFor();
    await expect.poll(() => line(165).count()).toBe(1);
  });

  test('a hit in a notebook opens its cell', async () => {
    await search('breakwater');
    await hits().first().getByText('Cell 3').waitFor();
    await box().press('Enter');
    await expect.poll(() => cellOf(at.page, 'two').getAttribute('data-active')).toBe('true');
  });

  test('chips write filters into the box', async () => {
    await search('quay');
    await at.page.getByRole('button', { name: 'Filter: Has todo' }).click();
    await expect.poll(() => box().inputValue()).toBe('quay has:todo ');
    await expect.poll(() => hits().count()).toBe(1);
    await at.page.getByRole('button', { name: 'Remove filter: Has todo' }).click();
    await at.page.getByRole('button', { name: 'Filter: Kind' }).click();
    await at.page.getByRole('menuitem', { name: 'Code' }).click();
    await expect.poll(() => at.page.getByRole('group', { name: /quay/ }).count()).toBe(1);
    await box().fill('kind:code nowhere');
    await at.page.getByText('No results for “kind:code nowhere”').waitFor();
    await at.page.getByRole('button', { name: 'Remove filters' }).waitFor();
  });

  test('a reload restores the search', async () => {
    await search('quay wall');
    await at.page.reload();
    await expect.poll(() => box().inputValue()).toBe('quay wall');
    await hits().first().waitFor();
  });

  test('related notes open beside a note', async () => {
    await search('quay');
    await at.page.getByRole('button', { name: 'Explorer', exact: true }).click();
    await openFromTree(at.page, 'plan.md');
    await at.page.getByRole('tab', { name: 'Links' }).click();
    const panel = at.page.getByRole('tabpanel', { name: 'Links' });
    await panel.getByRole('button', { name: /^Log/ }).click();
    await editor(at.page, 'log.md').waitFor();
  });
});

const field = () => at.page.getByRole('textbox', { name: 'Find in files' });
const rows = () => at.page.getByRole('treeitem');
/** The line that counts; a live region says the same. */
const counted = (words: string | RegExp) => at.page.getByRole('navigation').getByText(words).waitFor();
const results = () => at.page.getByRole('tree', { name: 'Results' });

async function find(words: string): Promise<void> {
  await at.page.keyboard.press('Control+Shift+F');
  await field().fill(words);
  await rows().first().waitFor();
}

describe('find in files', () => {
  test('unsaved text is found and F4 goes on', async () => {
    await openFromTree(at.page, 'plan.md');
    await editor(at.page, 'plan.md').click();
    await at.page.keyboard.press('Control+End');
    await at.page.keyboard.type('the quayside');
    await find('QUAY');
    await counted('5 lines in 3 files');
    await everywhere(at.page);
    await at.page.keyboard.press('F4');
    await editor(at.page, 'code/quay.py').waitFor();
    await expect.poll(() => line(1).count()).toBe(1);
    await at.page.keyboard.press('F4');
    await expect.poll(() => line(4).count()).toBe(1);
    await at.page.keyboard.press('Shift+F4');
    await expect.poll(() => line(1).count()).toBe(1);
  });

  test('the selected text is found', async () => {
    await openFromTree(at.page, 'code/quay.py');
    await editor(at.page, 'code/quay.py').click();
    for (const key of ['Control+Home', 'ArrowDown', 'End', 'Control+Shift+ArrowLeft'])
      await at.page.keyboard.press(key);
    await at.page.keyboard.press('Control+Shift+F');
    await expect.poll(() => field().inputValue()).toBe('height');
    await counted('2 lines in 1 file');
  });

  test('a wrong expression says where', async () => {
    await at.page.keyboard.press('Control+Shift+F');
    await field().press('Alt+r');
    await field().fill('quay(');
    await at.page
      .getByRole('alert')
      .getByText(/wrong at character/)
      .waitFor();
    await field().fill('quay\\(\\w');
    await counted('2 lines in 1 file');
  });

  test('replacing leaves dismissed lines alone', async () => {
    await openFromTree(at.page, 'code/quay.py');
    await at.page.keyboard.press('Control+Shift+H');
    await field().fill('quay');
    await field().press('Alt+c');
    await at.page.getByRole('textbox', { name: 'Replace with' }).fill('pier');
    await counted('4 lines in 3 files');
    await field().press('ArrowDown');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Delete']) await at.page.keyboard.press(key);
    await counted('3 lines in 3 files');
    await at.page.getByRole('button', { name: 'Replace all…' }).click();
    await at.page.getByRole('button', { name: 'Confirm', exact: true }).waitFor();
    await inBothThemes(at.page);
    await at.page.keyboard.press('Alt+y');
    await expect.poll(() => at.workspace.read('plan.md')).toContain('paint the pier');
    expect(at.workspace.read('log.md')).toContain('The pier wall');
    await expect
      .poll(() => textOf(at.page, 'code/quay.py'))
      .toBe('def pier(height):\n    return height\n\nprint(quay(1))\n');
    await at.page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => at.workspace.read('plan.md')).toContain('paint the quay');
  });

  test('thousands of lines draw only those in sight', async () => {
    await find('grain');
    await counted(/^10,000\+ lines/);
    expect(await rows().count()).toBeLessThan(120);
    await results().press('End');
    await expect.poll(() => rows().last().textContent()).toMatch(/grain/);
    await frames(at.page, 2);
    expect(await rows().count()).toBeLessThan(120);
  });

  test('results come back after a reload', async () => {
    await find('mended');
    await at.page.reload();
    await expect.poll(() => field().inputValue()).toBe('mended');
    await rows().first().waitFor();
  });
});
