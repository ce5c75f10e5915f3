import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachInWindow } from './each';
import { editor, openFromTree } from './support';

const at = eachInWindow({
  'README.md': '# Tides\n',
  'data/deep/heights.csv': 'hour,metres\n0,1.2\n',
  'node_modules/x/index.js': 'x\n',
  '.git/config': '',
  'old/note.md': 'Note.\n',
});

const row = (name: string) => at.page.getByRole('treeitem', { name, exact: true });
const menu = () => at.page.getByRole('menu');
const entry = (name: string) => menu().getByRole('menuitem', { name });

describe('the explorer', () => {
  it('folds folders of programs away', async () => {
    await row('data').waitFor();
    expect(await at.page.getByRole('treeitem').allTextContents()).toEqual(['data', 'old', 'README.md', 'Hidden']);
    await at.page.getByRole('treeitem', { name: /^Hidden/ }).click();
    await row('node_modules').waitFor();
    await at.page.getByRole('treeitem', { name: /^\.git/ }).waitFor();
    const height = await row('data').evaluate((element) => element.getBoundingClientRect().height);
    expect(height).toBe(22);
  });

  it('shows the file that is opened elsewhere', async () => {
    await at.page.keyboard.press('Control+p');
    await at.page.getByRole('combobox', { name: 'Open a file' }).fill('heights');
    await at.page.getByRole('option', { name: /heights/ }).waitFor();
    await at.page.keyboard.press('Enter');
    await expect.poll(() => row('heights.csv').getAttribute('aria-selected')).toBe('true');
  });

  it('has a menu by mouse and by key', async () => {
    await row('README.md').click({ button: 'right' });
    await entry('Open to the side').waitFor();
    expect(await violations(at.page)).toEqual([]);
    await at.page.keyboard.press('Escape');
    await expect.poll(() => menu().count()).toBe(0);
    await at.page.keyboard.press('Shift+F10');
    await entry('Duplicate').click();
    await row('README-2.md').waitFor();
    expect(at.workspace.read('README-2.md')).toBe('# Tides\n');
  });

  it('moves a row that is dragged', async () => {
    await row('README.md').dragTo(row('old'));
    await expect.poll(() => at.workspace.has('old/README.md')).toBe(true);
    expect(at.workspace.has('README.md')).toBe(false);
    await at.page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => at.workspace.has('README.md')).toBe(true);
  });

  it('uploads files, and replaces none', async () => {
    const bytes = Buffer.from([0, 1, 2, 255]);
    writeFileSync(join(at.workspace.home, 'README.md'), bytes);
    const choosing = at.page.waitForEvent('filechooser');
    await at.page.getByRole('button', { name: 'Upload files' }).click();
    await (await choosing).setFiles(join(at.workspace.home, 'README.md'));
    await row('README-2.md').waitFor();
    expect(readFileSync(join(at.workspace.folder, 'README-2.md'))).toEqual(bytes);
    expect(at.workspace.read('README.md')).toBe('# Tides\n');
  });

  it('takes files that are dropped on a folder', async () => {
    await row('old').evaluate((element) => {
      const data = new DataTransfer();
      data.items.add(new File(['dropped'], 'new.txt'));
      for (const type of ['dragover', 'drop']) {
        element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
      }
    });
    await expect.poll(() => at.workspace.has('old/new.txt')).toBe(true);
    expect(at.workspace.read('old/new.txt')).toBe('dropped');
  });

  it('downloads a file', async () => {
    await openFromTree(at.page, 'old/note.md');
    const coming = at.page.waitForEvent('download');
    await row('note.md').click({ button: 'right' });
    await entry('Download').click();
    expect((await coming).suggestedFilename()).toBe('note.md');
    await editor(at.page, 'old/note.md').waitFor();
  });

  it('offers a dragged file as a download', async () => {
    const given = await row('README.md').evaluate((element) => {
      const data = new DataTransfer();
      element.dispatchEvent(new DragEvent('dragstart', { bubbles: true, dataTransfer: data }));
      return data.getData('DownloadURL');
    });
    const [, type, name, url] = /^([^:]+):([^:]+):(.*)$/.exec(given) ?? [];
    expect([type, name]).toEqual(['application/octet-stream', 'README.md']);
    const text = await at.page.evaluate(async (address) => (await fetch(address)).text(), url ?? '');
    expect(text).toBe('# Tides\n');
  });

  it('renames and moves by name', async () => {
    await row('README.md').click();
    await editor(at.page, 'README.md').waitFor();
    await row('README.md').click({ button: 'right' });
    await entry('Move…').click();
    const field = at.page.getByRole('textbox', { name: 'New path of README.md' });
    await field.fill('data/about.md');
    await field.press('Enter');
    await expect.poll(() => at.workspace.has('data/about.md')).toBe(true);
    await row('about.md').waitFor();
  });
});
