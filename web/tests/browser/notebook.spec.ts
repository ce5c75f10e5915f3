import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { everywhere, violations } from './axe';
import { eachOn } from './each';
import { cellOf, cells, code, go, LONG, NOTEBOOK, notebookOf, openNotebook, text } from './notebooks';
import { act, openWindow } from './support';

const at = eachOn({ 'tides.ipynb': NOTEBOOK, 'broken.ipynb': '{"cells": [' });
const opened = (options?: Parameters<typeof openNotebook>[1]) => openNotebook(at, options);

const keys = (page: Page) =>
  cells(page).evaluateAll((articles) => articles.map((article) => (article as HTMLElement).dataset.cell));

/** The cells in the file, each as its kind and its text. */
function inFile(): [kind: string, source: string][] {
  const { cells } = JSON.parse(at.workspace.read('tides.ipynb')) as {
    cells: { cell_type: string; source: string | string[] }[];
  };
  return cells.map(({ cell_type, source }) => [cell_type, [source].flat().join('')]);
}
const onDisk = () => expect.poll(inFile, { timeout: 10_000 });

describe('a notebook', () => {
  it('shows its cells, is edited and saved, and nothing else in the file changes', async () => {
    const page = await opened();
    await page.getByRole('heading', { name: 'Tides', level: 2 }).waitFor();
    expect(await cells(page).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).toEqual([
      'Cell 1, Markdown',
      'Cell 2, code',
      'Cell 3, code',
      'Cell 4, raw',
    ]);
    await go(page, 'second');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('0');
    await onDisk().toContainEqual(['code', 'x = 10']);
    const [before = '', after = ''] = NOTEBOOK.split('"x = 1"');
    const file = at.workspace.read('tides.ipynb');
    expect([file.startsWith(before), file.endsWith(after)]).toEqual([true, true]);
  });

  it('has Jupyter’s keys: insert, move, change, split, merge, delete, and all of it can be taken back', async () => {
    const page = await opened();
    await go(page, 'first');
    await page.keyboard.press('b');
    await page.keyboard.press('Enter');
    await page.keyboard.type('one\ntwo');
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+Shift+-');
    await expect.poll(() => cells(page).count()).toBe(6);
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    await onDisk().toEqual([
      ['markdown', '# Tides\n\nHeights by *harmonic* analysis.'],
      ['code', "print('hello')"],
      ['code', 'one'],
      ['markdown', 'two'],
      ['code', 'x = 1'],
      ['raw', 'as it is'],
    ]);
    await page.keyboard.press('y');
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Shift+M');
    await expect.poll(() => cells(page).count()).toBe(5);
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(async () => (await keys(page)).indexOf('first')).toBe(2);
    await page.keyboard.press('d');
    await page.keyboard.press('d');
    await expect.poll(() => keys(page)).toEqual(['intro', 'first', 'second', 'plain']);
    // Deleted, moved, merged, changed twice, split, typed (a line, its end, another line), put in.
    for (let step = 0; step < 10; step++) await page.keyboard.press('z');
    await onDisk().toHaveLength(4);
    await expect.poll(() => inFile()[1]).toEqual(['code', "print('hello')"]);
    await page.keyboard.press('Shift+Z');
    await expect.poll(() => cells(page).count()).toBe(5);
  });

  it('lists its keys where they hold, and leaves a text by Jupyter’s other key too', async () => {
    const page = await opened();
    await go(page, 'first');
    await page.keyboard.press('Shift+End');
    await expect.poll(() => page.locator('[data-cell][data-selected]').count()).toBe(3);
    await page.keyboard.press('Shift+Home');
    await expect.poll(() => page.locator('[data-cell][data-selected]').count()).toBe(2);
    await page.keyboard.press('Enter');
    await page.locator('[data-editing]').waitFor();
    await page.keyboard.press('Control+m');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-cell'))).toBe('intro');
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const title of ['Delete cells: D twice', 'Run cell and advance', 'Extend selection to bottom']) {
      await keys.getByText(title, { exact: true }).waitFor();
    }
  });

  it('names the kernel that its file wants before that runs', async () => {
    const page = await openNotebook(at);
    await page.getByRole('button', { name: /^Kernel: Python 3.*not running/ }).waitFor();
  });

  it('indents its code as Python is written', async () => {
    const page = await openNotebook(at);
    await go(page, 'second');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+a');
    // As fast as a person types: the keys of an editor come right behind the cells.
    await page.keyboard.type('def f():', { delay: 100 });
    await page.keyboard.press('Enter');
    await page.keyboard.type('pass');
    await expect.poll(() => at.workspace.read('tides.ipynb')).toContain('    pass');
  });

  it('keeps the keyboard when its last cell goes, and when cells come back', async () => {
    const page = await opened();
    await go(page, 'first');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('x');
    const first = page.getByRole('main').getByRole('button', { name: 'Code', exact: true });
    await expect.poll(() => first.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('z');
    await expect.poll(() => cells(page).count()).toBe(4);
    const active = () => page.evaluate(() => document.activeElement?.getAttribute('data-cell'));
    await expect.poll(active).toBe('intro');
    await go(page, 'second');
    for (const key of ['d', 'd', 'ArrowUp']) await page.keyboard.press(key);
    await expect.poll(active).toBe('first');
    await page.keyboard.press('z');
    await expect.poll(active).toBe('second');
  });

  it('has the keyboard on the cell where it was after a reload, unless it is elsewhere', async () => {
    const page = await opened();
    const atCell = () => page.evaluate(() => document.activeElement?.getAttribute('data-cell'));
    await expect.poll(atCell).toBe('intro');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.reload();
    await expect.poll(atCell).toBe('second');
    await page.keyboard.press('ArrowUp');
    await expect.poll(atCell).toBe('first');
    await page.route(/Notebook-.*\.js$/, async (route) => {
      await page.getByRole('textbox', { name: 'Message to the assistant' }).focus();
      await route.continue();
    });
    await page.reload();
    await cells(page).first().waitFor();
    await expect.poll(() => cellOf(page, 'first').getAttribute('data-active')).toBe('true');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Message to the assistant',
    );
  });

  it('is made by a name in the list of files, and every program can open it', async () => {
    const page = await opened({ viewport: { width: 900, height: 700 } });
    // The field for the name is in the tree, which a filter hides.
    await page.keyboard.press('Control+Shift+e');
    await page.getByRole('searchbox', { name: 'Filter files' }).fill('nothing has this name');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new notebook');
    await page.getByRole('option', { name: /^New notebook/ }).click();
    await page.getByRole('textbox', { name: 'Name of the new file' }).press('Enter');
    await page.getByRole('heading', { name: 'Empty notebook' }).waitFor();
    expect(JSON.parse(at.workspace.read('untitled.ipynb'))).toEqual({
      cells: [],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5,
    });
    await page.getByRole('main').getByRole('button', { name: 'Yours' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[data-editing]').waitFor();
  });

  it('is the same in two windows that edit at once, and after a reload', async () => {
    const [one, two] = [await opened(), await opened()];
    await go(one, 'first');
    await one.keyboard.press('Enter');
    await go(two, 'second');
    await two.keyboard.press('Enter');
    await Promise.all([one.keyboard.type('# one\n'), two.keyboard.type('# two\n')]);
    await go(two, 'plain');
    await two.keyboard.press('a');
    await expect.poll(() => cells(one).count()).toBe(5);
    await one.locator('.cm-content', { hasText: '# two' }).waitFor();
    await two.locator('.cm-content', { hasText: '# one' }).waitFor();
    await expect.poll(async () => (await keys(one)).join()).toBe((await keys(two)).join());
    await one.reload();
    await cells(one).first().waitFor();
    await expect.poll(() => cells(one).count()).toBe(5);
    await onDisk().toContainEqual(['code', expect.stringContaining('# two')]);
  });

  it('finds and replaces in all cells', async () => {
    const page = await opened();
    await go(page, 'first');
    await page.keyboard.press('f');
    await page.keyboard.type('hello');
    await page.getByText('1 of 1').waitFor();
    await page.getByRole('textbox', { name: 'Replace with' }).fill('tides');
    await page.getByRole('button', { name: 'Replace all' }).click();
    await onDisk().toContainEqual(['code', "print('tides')"]);
    await page.getByRole('textbox', { name: 'Find in all cells' }).press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-cell'))).toBe(true);
  });

  it('comes back to the words with Ctrl-F, from a cell and from its text, and leaves it to the browser elsewhere', async () => {
    const page = await opened();
    const [words, asked] = [
      page.getByRole('textbox', { name: 'Find in all cells' }),
      () => page.keyboard.press('Control+f'),
    ];
    const isThere = () => expect.poll(() => words.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByRole('textbox', { name: 'Message to the assistant' }).click();
    await asked();
    expect(await words.count()).toBe(0);
    await go(page, 'first');
    await asked();
    await isThere();
    await page.keyboard.type('hello');
    await page.getByText('1 of 1').waitFor();
    await go(page, 'second');
    await page.keyboard.press('Enter');
    await asked();
    await isThere();
    await page.keyboard.type('x = ');
    await page.getByText('1 of 1').waitFor();
    expect(await words.inputValue()).toBe('x = ');
  });

  it('lets the keyboard go from the text of a cell to what is beside it', async () => {
    const page = await opened();
    await go(page, 'first');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Message to the assistant' }).click();
    await page.keyboard.type('why?');
    await cellOf(page, 'first').and(page.locator('[data-active]')).waitFor();
    expect(await page.getByRole('textbox', { name: 'Message to the assistant' }).inputValue()).toBe('why?');
    const text = cellOf(page, 'first').locator('.cm-content');
    await text.click({ position: { x: 9, y: 10 } });
    await page.keyboard.type('#');
    await expect.poll(() => text.textContent()).toBe("#print('hello')");
  });

  it('marks all that it found, in text too, and what it shows more than the others', async () => {
    const page = await opened();
    const inCode = (id: string) => cellOf(page, id).locator('.cm-searchMatch').allTextContents();
    const inText = (name: string) =>
      page.evaluate((name) => [...(CSS.highlights.get(name) ?? [])].map((range) => `${range}`), name);
    await go(page, 'intro');
    await page.keyboard.press('f');
    await page.keyboard.type('h');
    await expect.poll(() => inText('aside-found')).toEqual(['h', 'h']);
    expect(await inText('aside-found-last')).toEqual(['H']);
    expect(await inCode('first')).toEqual(['h']);
    expect(await cellOf(page, 'first').locator('.cm-searchMatch-selected').count()).toBe(0);
    for (const _ of [1, 2, 3]) await page.keyboard.press('Enter');
    await expect.poll(() => cellOf(page, 'first').locator('.cm-searchMatch-selected').count()).toBe(1);
    expect(await inText('aside-found-last')).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => inCode('first')).toEqual([]);
    expect(await inText('aside-found')).toEqual([]);
  });

  it('shows what it found before that is replaced, and then the next', async () => {
    const page = await opened();
    await go(page, 'first');
    const marked = () => page.evaluate(() => document.querySelectorAll('.cm-selectionBackground').length);
    await page.keyboard.press('f');
    await page.keyboard.type('l');
    await page.getByText('2 of 3').waitFor();
    await expect.poll(marked).toBe(1);
    await page.getByRole('textbox', { name: 'Replace with' }).fill('ll');
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('4 of 4').waitFor();
    await onDisk().toContainEqual(['code', "print('helllo')"]);
  });

  it('finds what is folded and brings it out', async () => {
    const page = await opened();
    await go(page, 'first');
    await page.keyboard.press('Shift+O');
    await cellOf(page, 'first').getByRole('button', { name: 'Code is hidden' }).waitFor();
    await go(page, 'intro');
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: '3 cells hidden' }).waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('hello');
    await page.getByText('1 of 1').waitFor();
    expect(await cellOf(page, 'first').isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await cellOf(page, 'first').locator('.cm-content', { hasText: "print('hello')" }).waitFor();
    await cellOf(page, 'plain').waitFor();
  });

  it('passes over what is folded, and brings out what is put there', async () => {
    at.workspace.write('tides.ipynb', NOTEBOOK.replace('as it is', '# Ebb').replace('"raw"', '"markdown"'));
    const page = await opened();
    const active = () => page.evaluate(() => document.activeElement?.getAttribute('data-cell'));
    await go(page, 'intro');
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: '2 cells hidden' }).waitFor();
    await page.keyboard.press('Shift+Enter');
    await expect.poll(active).toBe('plain');
    expect(await cellOf(page, 'first').isVisible()).toBe(false);
    await go(page, 'intro');
    await page.keyboard.press('b');
    await cellOf(page, 'first').waitFor();
    await expect.poll(() => cells(page).count()).toBe(5);
    expect(await cells(page).nth(1).getAttribute('data-active')).toBe('true');
    await page.keyboard.press('d');
    await page.keyboard.press('d');
    await expect.poll(active).toBe('first');
  });

  it('moves, copies and deletes a collapsed heading with what it hides, and hides nothing else by that', async () => {
    const parts = ['# A', '# B', '# C'].flatMap((title, part) => [
      text(`head${part}`, title),
      code(`one${part}`, `${part}`),
      code(`two${part}`, `${part}`),
    ]);
    at.workspace.write('tides.ipynb', notebookOf(parts));
    const page = await opened();
    const order = () =>
      page.locator('[data-cell]').evaluateAll((all) => all.map((one) => one.getAttribute('data-cell')));
    const shown = () => page.locator('[data-cell]:not([hidden])').count();
    const [a, b, c] = [0, 1, 2].map((part) => [`head${part}`, `one${part}`, `two${part}`]) as [
      string[],
      string[],
      string[],
    ];
    for (const id of ['head0', 'head1']) {
      await go(page, id);
      await page.keyboard.press('ArrowLeft');
    }
    await expect.poll(shown).toBe(5);
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(order).toEqual([...b, ...a, ...c]);
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(order).toEqual([...a, ...b, ...c]);
    expect(await shown()).toBe(5);
    // Past the head of the third part it would hide that part, too.
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(order).toEqual([...a, 'head2', ...b, 'one2', 'two2']);
    await expect.poll(shown).toBe(7);
    await page.keyboard.press('z');
    await expect.poll(order).toEqual([...a, ...b, ...c]);
    await expect.poll(shown).toBe(5);
    await go(page, 'head0');
    await page.keyboard.press('d');
    await page.keyboard.press('d');
    await expect.poll(order).toEqual([...b, ...c]);
    await page.keyboard.press('z');
    await expect.poll(order).toEqual([...a, ...b, ...c]);
    await go(page, 'head0');
    await page.keyboard.press('x');
    await go(page, 'head1');
    await page.keyboard.press('v');
    await expect.poll(order).toEqual([...b, ...a, ...c]);
    // Without the head between them, what was below that would be hidden.
    await go(page, 'head2');
    await page.keyboard.press('ArrowLeft');
    await go(page, 'head0');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(shown).toBe(3);
    await go(page, 'head2');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('y');
    await expect.poll(shown).toBe(7);
  });

  it('is saved on request without a question', async () => {
    const page = await opened();
    await go(page, 'second');
    await page.keyboard.press('Enter');
    await page.keyboard.type('y = 2; ');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).nth(1).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(at.workspace.read('tides.ipynb')).toContain('y = 2; x = 1');
  });

  it('takes a picture in where it is pasted into text, as Jupyter has it, and gives it back', async () => {
    const page = await opened();
    await cellOf(page, 'intro').dblclick();
    const writing = cellOf(page, 'intro').locator('.cm-content');
    await writing.press('Control+End');
    const given = (types: Record<string, string>) =>
      writing.evaluate((element, types) => {
        const clipboardData = new DataTransfer();
        const bytes = Uint8Array.from(atob(types.picture ?? ''), (character) => character.charCodeAt(0));
        clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
        if (types.text) clipboardData.setData('text/plain', types.text);
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, types);
    const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await given({ picture, text: ' cells of a sheet' });
    await given({ picture });
    await given({ picture: btoa('0'.repeat(11_000_000)) });
    await page.getByText('Images in a cell are limited to 10 MB').first().waitFor();
    const words = 'analysis. cells of a sheet![image.png](attachment:image.png)';
    await expect.poll(() => writing.textContent()).toContain(words);
    const brought = () => JSON.parse(at.workspace.read('tides.ipynb')).cells[0];
    await expect.poll(() => brought().attachments).toEqual({ 'image.png': { 'image/png': picture } });
    expect(Object.keys(brought())).toEqual(['attachments', 'cell_type', 'id', 'metadata', 'source']);
    await writing.press('Shift+Enter');
    const shown = cellOf(page, 'intro').getByRole('img', { name: 'image.png' });
    expect(await shown.evaluate((element: HTMLImageElement) => element.decode().then(() => element.naturalWidth))).toBe(
      1,
    );
    await page.keyboard.press('z');
    await shown.waitFor({ state: 'detached' });
    await expect.poll(() => brought().attachments).toBeUndefined();
  });

  it('has its cells pasted in another window', async () => {
    const page = await opened();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await cells(other).first().waitFor();
    await go(page, 'first');
    await page.keyboard.press('c');
    await go(other, 'plain');
    await expect
      .poll(async () => {
        await other.getByRole('button', { name: 'More cell actions' }).click();
        const isThere = await other.getByRole('menuitem', { name: /^Paste below/ }).isEnabled();
        await other.keyboard.press('Escape');
        return isThere;
      })
      .toBe(true);
    await go(other, 'plain');
    await other.keyboard.press('v');
    await onDisk().toEqual([...inFile().slice(0, 4), ['code', "print('hello')"]]);
  });

  it('has its cells dragged to other places by their handles', async () => {
    const page = await opened();
    // What stands above the cells is there once it is known which kernels are: until then the cells move.
    await page.waitForLoadState('networkidle');
    const handle = cellOf(page, 'plain').getByTitle('Drag to move cell');
    await handle.dragTo(cellOf(page, 'first'), { targetPosition: { x: 200, y: 2 } });
    await expect.poll(() => keys(page)).toEqual(['intro', 'plain', 'first', 'second']);
    await onDisk().toEqual(expect.arrayContaining([['raw', 'as it is']]));
    await expect.poll(() => inFile()[1]).toEqual(['raw', 'as it is']);
  });

  it('tells the assistant which cell is looked at, and which lines of it', async () => {
    const page = await opened();
    await go(page, 'first');
    await page.getByText('tides.ipynb, this cell', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nx = 2\ny = 3');
    await page.getByText('tides.ipynb, this cell, line 3', { exact: true }).waitFor();
    await page.keyboard.press('Shift+ArrowUp');
    await page.getByText('tides.ipynb, this cell, lines 2–3 selected', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await page.getByText('tides.ipynb, this cell', { exact: true }).waitFor();
  });

  it('that can’t be read is shown as text, with the reason', async () => {
    const page = await openWindow(at.browser, at.server, { path: 'w/x/f/broken.ipynb' });
    await page.getByText('the file is not JSON').waitFor();
    await page.getByRole('textbox', { name: 'Text of broken.ipynb' }).waitFor();
    expect(at.workspace.read('broken.ipynb')).toBe('{"cells": [');
  });
});

describe('a notebook with cells that are odd', () => {
  const odd = eachOn({ 'tides.ipynb': notebookOf([code('same', 'x = 1'), code('same', 'y = 2')]) });

  it('says which and why, leads to them, and can be left so', async () => {
    const page = await openNotebook(odd);
    const said = page.getByRole('region', { name: 'Invalid cells' });
    await said.getByText('an earlier cell has the same id').waitFor();
    await said.getByRole('button', { name: 'Cell 2' }).click();
    await expect
      .poll(() =>
        cells(page)
          .nth(1)
          .evaluate((cell) => cell === document.activeElement),
      )
      .toBe(true);
    expect(await violations(page)).toEqual([]);
    await said.getByRole('button', { name: 'Dismiss' }).click();
    await said.waitFor({ state: 'detached' });
  });
});

describe('a long notebook', () => {
  const long = eachOn({ 'tides.ipynb': LONG });

  it('has all its cells in the page, and editors only where somebody is', async () => {
    const page = await openNotebook(long);
    await expect.poll(() => cells(page).count()).toBe(300);
    expect(await page.locator('.cm-editor').count()).toBeLessThan(60);
    await go(page, 'c0');
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-cell'))).toBe('c299');
    await cellOf(page, 'c150').getByText('print').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' # here');
    await expect.poll(() => long.workspace.read('tides.ipynb'), { timeout: 10_000 }).toContain('print(x) # here');
  });
});

describe('a notebook has nothing that axe finds', () => {
  it('in any theme and width', async () => {
    const page = await opened();
    await go(page, 'first');
    await everywhere(page);
    await page.keyboard.press('f');
    await page.getByRole('button', { name: 'Outline' }).click();
    await page.getByRole('navigation', { name: 'Notebook outline' }).waitFor();
    await everywhere(page);
    await page.getByRole('button', { name: /^Kernel: / }).click();
    await page.getByRole('dialog', { name: 'Kernel' }).waitFor();
    await everywhere(page);
  });
});

describe('a notebook in a narrow window', () => {
  const marked = (id: string, ours: object) => ({
    ...code(id, 'x'),
    metadata: { aside: { ai_hidden: true, ...ours } },
  });
  const stream = (words: string) => ({ output_type: 'stream', name: 'stdout', text: words });
  const kinds = [marked('sql', { cell: 'sql' }), marked('ai', { cell: 'ai' }), marked('code', {})];
  const at = eachOn({ 'tides.ipynb': notebookOf(kinds) });

  it('has nothing of a cell’s head under its tools', async () => {
    const page = await openNotebook(at, { viewport: { width: 400, height: 800 } });
    await cellOf(page, 'sql').getByLabel('into').waitFor();
    await cellOf(page, 'ai').getByRole('button', { name: 'Model of this cell' }).waitFor();
    for (const id of ['sql', 'ai', 'code']) {
      await go(page, id);
      const move = cellOf(page, id).getByRole('button', { name: 'Move up' });
      await cellOf(page, id).getByText('Hidden from AI').waitFor();
      expect(await move.evaluate(under)).toEqual([]);
    }
  });

  it('has its outline above the cells, which keep their width', async () => {
    const page = await openNotebook(at, { viewport: { width: 400, height: 800 } });
    const cell = () => cellOf(page, 'sql').boundingBox();
    const before = await cell();
    await page.getByRole('button', { name: 'Outline' }).click();
    const outline = await page.getByRole('navigation', { name: 'Notebook outline' }).boundingBox();
    expect((await cell())?.width).toBe(before?.width);
    expect((outline?.y ?? 0) + (outline?.height ?? 0)).toBeLessThanOrEqual((await cell())?.y ?? 0);
    await page.setViewportSize({ width: 1440, height: 800 });
    await expect.poll(async () => (await cell())?.y).toBeLessThan((outline?.y ?? 0) + (outline?.height ?? 0));
  });

  it('has no text under the tools of a cell, and nothing moves when a cell gets them', async () => {
    const long = 'word '.repeat(60);
    const cells = [
      code('one', long, [stream(long)]),
      code('two', long),
      text('three', long),
      text('four', `# ${long}`),
    ];
    at.workspace.write('tides.ipynb', notebookOf([...cells, code('five', long)]));
    for (const width of [400, 1440]) {
      const page = await openNotebook(at, { viewport: { width, height: 900 } });
      const heights = () =>
        page.locator('[data-cell]').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
      const all = ['one', 'two', 'three', 'four', 'five'];
      for (const id of all) await go(page, id);
      await cellOf(page, 'five').locator('.cm-line').waitFor();
      await cellOf(page, 'four').getByRole('heading').waitFor();
      await cellOf(page, 'three').locator('p').first().waitFor();
      const before = await heights();
      for (const id of all) {
        await go(page, id);
        const move = cellOf(page, id).getByRole('button', { name: 'Move up' });
        expect(await move.evaluate(lettersUnder), `${id}, ${width} wide`).toEqual([]);
        expect(await heights()).toEqual(before);
      }
    }
  });

  /** Lines of text that are under the tools, but for the space above and below letters. */
  function lettersUnder(button: Element): string[] {
    const of = (button.parentElement as Element).getBoundingClientRect();
    const found: string[] = [];
    const letters = document.createTreeWalker(document.querySelector('[role="feed"]') as Element, NodeFilter.SHOW_TEXT);
    while (letters.nextNode()) {
      if (button.parentElement?.contains(letters.currentNode)) continue;
      const range = document.createRange();
      range.selectNodeContents(letters.currentNode);
      const isUnder = ({ left, right, top, bottom }: DOMRect) =>
        left < of.right && right > of.left && top + 2 < of.bottom && bottom - 2 > of.top;
      if ([...range.getClientRects()].some(isUnder)) found.push(letters.currentNode.textContent ?? '');
    }
    return found;
  }

  /** What a person can read or press of the cell that is under its tools. */
  function under(button: Element): string[] {
    const tools = button.parentElement as Element;
    const of = tools.getBoundingClientRect();
    const marks = [...(tools.parentElement?.querySelectorAll('label, input, button, span') ?? [])];
    const others = marks.filter((mark) => !tools.contains(mark) && !mark.closest('.cm-editor'));
    const isUnder = ({ left, right, top, bottom, width }: DOMRect) =>
      width > 1 && left < of.right && right > of.left && top < of.bottom && bottom > of.top;
    return others.filter((mark) => isUnder(mark.getBoundingClientRect())).map((mark) => mark.outerHTML);
  }
});

describe('a notebook that was run elsewhere', () => {
  it('has the numbers of its cells, also of those that put out nothing', async () => {
    at.workspace.write('tides.ipynb', notebookOf([{ ...code('set', 'x = 1'), execution_count: 7 }, code('new', 'x')]));
    const page = await opened();
    await cellOf(page, 'set').getByText('[7]').waitFor();
    await cellOf(page, 'new').getByText('[ ]').waitFor();
    expect(await cellOf(page, 'set').getAttribute('aria-label')).toBe('Cell 1, code, run 7');
  });
});

describe('a picture beside a notebook', () => {
  it('is shown where its text names it, and anew when it is another', async () => {
    const [text, page] = [{ cell_type: 'markdown', metadata: {} }, await openWindow(at.browser, at.server)];
    at.workspace.write('sub/plot.svg', svg(20));
    const sources = ['![A plot](plot.svg)', 'See <img src="../sub/plot.svg" alt="Again"> here', '![Gone](gone.png)'];
    at.workspace.write('sub/tides.ipynb', notebookOf(sources.map((source, at) => ({ ...text, id: `c${at}`, source }))));
    await page.goto(`${at.server.url}w/x/f/sub/tides.ipynb`);
    const width = (name: string) =>
      page.getByRole('img', { name }).evaluate((img: HTMLImageElement) => img.naturalWidth);
    await expect.poll(() => width('A plot')).toBe(20);
    expect(await width('Again')).toBe(20);
    await page.getByText('sub/gone.png was not found. (Gone)').waitFor();
    at.workspace.write('sub/plot.svg', svg(30));
    await expect.poll(() => width('A plot'), { timeout: 10_000 }).toBe(30);
    expect(await violations(page)).toEqual([]);
  });
});

const svg = (width: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="9"></svg>`;

describe('a notebook whose file another program has broken', () => {
  it('is written over what is there, or left, as the person says', async () => {
    const page = await openNotebook(at);
    await act(at.server, 'cell.insert', { path: 'tides.ipynb', after: 'intro', cells: [{ source: 'mine = 1' }] });
    await expect.poll(() => at.workspace.read('tides.ipynb')).toContain('mine = 1');
    at.workspace.write('tides.ipynb', '{"cells": [');
    const over = page.getByRole('button', { name: 'Overwrite…' });
    await over.waitFor();
    await page.getByText('The open notebook is kept; fix the file, and both are merged.').waitFor();
    await everywhere(page);
    await page.getByRole('status').filter({ has: over }).getByRole('button', { name: 'Dismiss' }).click();
    await over.waitFor({ state: 'hidden' });
    expect(at.workspace.read('tides.ipynb')).toBe('{"cells": [');
    at.workspace.write('tides.ipynb', 'no notebook');
    await over.click();
    await page.getByRole('button', { name: 'Yes, do it' }).click();
    await expect.poll(() => at.workspace.read('tides.ipynb')).toContain('mine = 1');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => at.workspace.read('tides.ipynb')).toBe('no notebook');
  });
});
