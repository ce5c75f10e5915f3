import { describe, expect, it } from 'vitest';
import { everywhere } from './axe';
import { eachOn } from './each';
import { NOTEBOOK, openNotebook } from './notebooks';
import { act, openFromTree, openWindow, textOf } from './support';

const at = eachOn({ 'lib/model.py': 'one\ntwo\nthree\n', 'tides.ipynb': NOTEBOOK });

const edit = (old: string, now: string) =>
  act(at.server, 'doc.edit', { path: 'lib/model.py', edits: [{ old, new: now }] });

describe('versions of a file', () => {
  it('are listed, looked at and brought back by keys alone', async () => {
    const page = await openWindow(at.browser, at.server);
    await openFromTree(page, 'lib/model.py');
    const versions = async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Ask Aside' }).fill('version history');
      await page.getByRole('option', { name: 'Version history Editor', selected: true }).waitFor();
      await page.keyboard.press('Enter');
      return page.getByRole('dialog', { name: 'Version history of lib/model.py' });
    };
    const none = await versions();
    await none.getByText('No versions yet').waitFor();
    await page.keyboard.press('Escape');
    await edit('two', 'TWO');
    await edit('three', 'THREE');
    await expect.poll(() => textOf(page, 'lib/model.py')).toContain('THREE');

    const dialog = await versions();
    const list = dialog.getByRole('radio');
    await expect.poll(() => list.count()).toBe(2);
    await dialog.getByText('the file as found').waitFor();
    const look = dialog.getByRole('region', { name: /^Changes if you restore/ });
    await look.getByText('THREE', { exact: true }).waitFor();
    expect(await look.getByText('two', { exact: true }).count()).toBe(0);
    await list.first().focus();
    await page.keyboard.press('ArrowDown');
    await look.getByText('two', { exact: true }).waitFor();
    await everywhere(page);
    await dialog.getByRole('button', { name: 'Restore' }).focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => textOf(page, 'lib/model.py')).toBe('one\ntwo\nthree\n');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => textOf(page, 'lib/model.py')).toContain('THREE');
  });

  it('of a notebook are cells', async () => {
    const page = await openNotebook(at);
    await act(at.server, 'cell.insert', { path: 'tides.ipynb', after: 'intro', cells: [{ source: 'y = 2' }] });
    await page.getByText('y = 2').first().waitFor();
    await page.getByRole('button', { name: 'Version history' }).click();
    const dialog = page.getByRole('dialog', { name: 'Version history of tides.ipynb' });
    await dialog.getByRole('region', { name: /Changes in tides.ipynb, cell 2/ }).waitFor();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await expect.poll(() => page.getByRole('feed').getByText('y = 2').count()).toBe(0);
  });
});
