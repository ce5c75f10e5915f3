// Beside a note: its outline, its links, the todos of all notes; and the note of a day.
import { expect, test } from 'vitest';
import { everywhere } from './axe';
import { eachInWindow } from './each';
import { addressOf, editor, openFromTree } from './support';

const at = eachInWindow({
  'tides.md': `# Tides\n\n${'word\n\n'.repeat(60)}## Spring tide\n\nSee [[plan]].\n`,
  'plan.md': '# Plan\n\nAbout [[tides]] and more.\n\n- [ ] measure #sea 📅 2020-11-01\n- [ ] sleep\n',
  'journal/2026-01-02.md': '# A day\n',
  'templates/Daily.md': '# {{title}}\n\n- [ ] plan the day\n',
});

test('the outline leads to its headings', async () => {
  const { page } = at;
  await openFromTree(page, 'tides.md');
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('button', { name: 'Spring tide' }).click();
  await editor(page, 'tides.md').getByText('See').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.classList.contains('cm-content'))).toBe(true);
  await page.keyboard.press('End');
  await page.keyboard.type(' now');
  await page.getByRole('navigation', { name: 'Outline' }).getByRole('button', { name: 'Spring tide now' }).waitFor();
});

test('links of a note lead to their lines', async () => {
  const { page } = at;
  await openFromTree(page, 'tides.md');
  await page.getByRole('tab', { name: 'Links' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Links' });
  await panel.getByRole('group', { name: 'Notes around this one' }).getByRole('button', { name: 'Plan' }).waitFor();
  await everywhere(page);
  await panel.getByRole('button', { name: 'As list' }).click();
  await panel.getByRole('button', { name: '3 About [[tides]] and more.' }).click();
  await editor(page, 'plan.md').waitFor();
  await expect.poll(() => page.getByText('Line 3', { exact: true }).count()).toBe(1);
});

test('a tick in Todos changes the file', async () => {
  const { page } = at;
  await page.goto(await addressOf(page, 'todos'));
  await page
    .getByRole('region', { name: 'Overdue' })
    .getByRole('button', { name: /^measure/ })
    .waitFor();
  await page
    .getByRole('region', { name: 'No date' })
    .getByRole('button', { name: /^sleep/ })
    .waitFor();
  await everywhere(page);
  await page.getByRole('button', { name: 'By tag' }).click();
  await page.getByRole('checkbox', { name: 'Done: measure' }).click();
  await expect.poll(() => at.workspace.read('plan.md')).toMatch(/^- \[x\] measure #sea 📅 2020-11-01 ✅ /m);
  await page
    .getByRole('region', { name: 'No tag' })
    .getByRole('button', { name: /^sleep/ })
    .click();
  await editor(page, 'plan.md').waitFor();
});

test('today has a note, made from its template', async () => {
  const { page } = at;
  await openFromTree(page, 'tides.md');
  await page.keyboard.press('Alt+d');
  const now = new Date();
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  await editor(page, `journal/${day}.md`).waitFor();
  expect(at.workspace.read(`journal/${day}.md`)).toBe(`# ${day}\n\n- [ ] plan the day\n`);
});
