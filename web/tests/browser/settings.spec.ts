import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { everywhere, violations } from './axe';
import { eachInWindow } from './each';
import { act, editor, openFromTree, openWindow, post, resize } from './support';

const LONG = `${'word '.repeat(80)}\n\tindented\n`;
const at = eachInWindow({ 'a.py': LONG });

const file = () => join(at.workspace.home, 'data', 'settings.toml');
const rootOf = (page: Page, name: string) => page.evaluate((name) => document.documentElement.dataset[name], name);
const row = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByText(title, { exact: true }) });

function write(text: string): void {
  mkdirSync(join(at.workspace.home, 'data'), { recursive: true, mode: 0o700 });
  writeFileSync(file(), text);
}

async function openSettings(page: Page): Promise<void> {
  await page.keyboard.press('Control+,');
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  await page.getByRole('region', { name: 'Editor' }).waitFor();
}

async function codeSize(page: Page): Promise<string> {
  return page
    .locator('.cm-scroller')
    .first()
    .evaluate((element) => getComputedStyle(element).fontSize);
}

describe('settings', () => {
  it('are set by key, in all windows', async () => {
    const { page } = at;
    await openFromTree(page, 'a.py');
    const other = await openWindow(at.browser, at.server);
    await openFromTree(other, 'a.py');
    expect(await codeSize(other)).toBe('13px');
    await openSettings(page);
    await page.getByRole('searchbox', { name: 'Search settings' }).focus();
    await page.keyboard.type('font si');
    await expect
      .poll(() =>
        page
          .getByRole('listitem')
          .filter({ has: page.getByRole('spinbutton') })
          .count(),
      )
      .toBe(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await row(page, 'Font size').getByText('Changed').waitFor();
    await expect.poll(() => codeSize(other)).toBe('15px');
    expect(
      await page.getByRole('spinbutton', { name: 'Font size' }).evaluate((e) => e === document.activeElement),
    ).toBe(true);
    expect(readFileSync(file(), 'utf8')).toContain('font_size = 15\n');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => codeSize(other)).toBe('13px');
    await expect.poll(() => row(page, 'Font size').getByText('Changed').count()).toBe(0);
    await page.getByRole('spinbutton', { name: 'Font size' }).fill('99');
    await page.getByRole('alert').getByText('8 to 40').waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByRole('spinbutton', { name: 'Font size' }).inputValue()).toBe('13');
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('nothing like it');
    await page.getByText('No settings match').waitFor();
  });

  it('change editor, theme and sending key', async () => {
    const { page } = at;
    await openFromTree(page, 'a.py');
    expect(await page.locator('.cm-lineNumbers').count()).toBe(1);
    expect(await page.locator('.cm-lineWrapping').count()).toBe(0);
    await openSettings(page);
    await page.getByRole('switch', { name: 'Line numbers', exact: true }).press('Space');
    await page.getByRole('switch', { name: 'Word wrap' }).click();
    await page.getByRole('switch', { name: 'Reduce motion' }).click();
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark');
    await page.getByRole('combobox', { name: 'Send messages with' }).selectOption('ctrl_enter');
    await expect.poll(() => rootOf(page, 'theme')).toBe('dark');
    await expect.poll(() => rootOf(page, 'motion')).toBe('reduced');
    await page.getByRole('tab', { name: 'a.py' }).click();
    await editor(page, 'a.py').waitFor();
    await expect.poll(() => page.locator('.cm-lineNumbers').count()).toBe(0);
    await expect.poll(() => page.locator('.cm-lineWrapping').count()).toBe(1);
    await page.reload();
    expect(await rootOf(page, 'theme')).toBe('dark');
    const message = page.getByRole('textbox', { name: 'Message to the assistant' });
    await message.fill('one');
    await message.press('Enter');
    await message.pressSequentially('two');
    expect(await message.inputValue()).toBe('one\ntwo');
  });

  it('are set by action and undone', async () => {
    const { page, server } = at;
    const set = await act(server, 'settings.set', { key: 'window.theme', value: 'dark' });
    expect(set.state).toBe('done');
    await expect.poll(() => rootOf(page, 'theme')).toBe('dark');
    await post(server, `actions/${set.id}/undo`, {});
    await expect.poll(() => rootOf(page, 'theme')).toBe('system');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Change theme');
    await page.keyboard.press('Enter');
    await expect.poll(() => rootOf(page, 'theme')).toBe('light');
    await expect.poll(() => readFileSync(file(), 'utf8')).toContain('\ntheme = "light"\n');
  });

  it('a file with mistakes names them', async () => {
    const { page } = at;
    await openFromTree(page, 'a.py');
    write('[editor]\nfont_size = 20\ntab_size = "wide"\n');
    await expect.poll(() => codeSize(page)).toBe('20px');
    await openSettings(page);
    const alert = page.getByRole('alert').filter({ hasText: 'settings file' });
    const line = alert.getByRole('listitem').filter({ hasText: 'Line 3' });
    await expect.poll(() => line.textContent()).toContain('editor.tab_size takes a whole number from 1 to 8');
    write('[editor]\nfont_size = 20\ntab_size = 2\n');
    await expect.poll(() => alert.count()).toBe(0);
    await row(page, 'Tab size').getByText('Changed').waitFor();
    write('[editor\n');
    await alert.getByText('Line 1').waitFor();
    await page.getByRole('switch', { name: 'Word wrap' }).click();
    await page.getByRole('region', { name: 'Messages' }).getByText('Cannot change settings.toml').waitFor();
    expect(readFileSync(file(), 'utf8')).toBe('[editor\n');
  });

  it('their page is accessible at every width', async () => {
    const { page } = at;
    write('[editor]\nfont_size = 20\nword_wrap = 1\n');
    await openSettings(page);
    await everywhere(page);
    await resize(page, 400, 800);
    expect(await violations(page)).toEqual([]);
    const isCut = () => page.locator('[data-page]').evaluate((page) => page.scrollWidth > page.clientWidth);
    expect(await isCut()).toBe(false);
  });
});
