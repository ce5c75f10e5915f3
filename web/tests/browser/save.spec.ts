import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { eachInWindow } from './each';
import { editor, openFromTree } from './support';

const at = eachInWindow({ 'a.md': '# A\n' });

/** Presses the key on an element; tells whether the browser would open its own dialog. */
const opensDialog = (element: Locator) =>
  element.evaluate((it) =>
    it.dispatchEvent(
      new KeyboardEvent('keydown', { key: 's', code: 'KeyS', ctrlKey: true, bubbles: true, cancelable: true }),
    ),
  );

test('Ctrl-S saves wherever the keyboard is', async () => {
  const { page } = at;
  await openFromTree(page, 'a.md');
  await editor(page, 'a.md').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('typed');
  await page.keyboard.press('Control+s');
  await page.getByRole('region', { name: 'Messages' }).getByText('Saved').waitFor();
  expect(at.workspace.read('a.md')).toBe('# A\ntyped');
  for (const place of [page.getByRole('tree'), page.locator('body'), page.getByRole('tab', { name: 'a.md' })]) {
    expect(await opensDialog(place)).toBe(false);
  }
  await page.keyboard.press('Control+k');
  expect(await opensDialog(page.getByRole('dialog').getByRole('combobox'))).toBe(false);
  await page.keyboard.press('Escape');
});

test('Ctrl-S opens no dialog on the entrance page', async () => {
  const stranger = await (await at.browser.newContext()).newPage();
  await stranger.goto(at.server.url);
  await stranger.getByRole('heading', { name: 'Open the link printed in the terminal' }).waitFor();
  expect(await opensDialog(stranger.getByLabel('Link or token'))).toBe(false);
});
