// What goes along with a message: chosen by the person, completed by key, sent as it stands in the live document.
import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachInWindow } from './each';
import { editor, openFromTree, openWindow } from './support';

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const at = eachInWindow({
  'src/model.py': `${LINES.join('\n')}\n`,
  'notes.md': 'Notes.\n',
  '.aside/commands/greet.md': '# Greets somebody\nSay hello to $ARGUMENTS.\n',
  '.aside/rehearsal.json': JSON.stringify({ name: 'tests', replies: [], otherwise: 'I only know these.' }),
});

const composer = () => at.page.getByRole('textbox', { name: 'Message to the assistant' });
const log = () => at.page.getByRole('log', { name: 'Conversation' });
const suggestions = () => at.page.getByRole('listbox', { name: 'Suggestions' });
const scope = () => at.page.getByRole('combobox', { name: 'File context' });

/** Opens what was sent along; an answer that still grows may move it from under the pointer. */
async function unfold(label: string): Promise<void> {
  const piece = log().locator('details', { has: at.page.getByText(label, { exact: true }) });
  const open = () => piece.evaluate((element: HTMLDetailsElement) => element.open);
  await expect
    .poll(async () => {
      if (!(await open())) await piece.locator('summary').click();
      return open();
    })
    .toBe(true);
}

async function answered(times = 1): Promise<void> {
  await expect.poll(() => log().getByText('I only know these.').count()).toBe(times);
  // Until the turn has ended, what is live gives way to what is kept.
  await expect.poll(() => at.page.getByRole('button', { name: /^Stop/ }).count()).toBe(0);
}

describe('the composer', () => {
  it('sends what the person chose of the file, for one message', async () => {
    await openFromTree(at.page, 'src/model.py');
    await editor(at.page, 'src/model.py').click();
    await at.page.keyboard.press('Control+Home');
    await at.page.keyboard.press('Shift+ArrowDown');
    await at.page.keyboard.press('Shift+ArrowDown');
    await scope().selectOption('Selection');
    await at.page.getByText('model.py, lines 1–2', { exact: true }).waitFor();
    expect(await violations(at.page)).toEqual([]);
    await composer().fill('what is this?');
    await composer().press('Enter');
    await answered();
    await unfold('Lines 1–2 of model.py selected');
    await log().getByText('1\tline 1', { exact: false }).waitFor();
    expect(await log().getByText('3\tline 3', { exact: false }).count()).toBe(0);
    expect(await scope().inputValue()).toBe('auto');
    await scope().selectOption('Nothing');
    await composer().fill('and now?');
    await composer().press('Enter');
    await answered(2);
    expect(await log().getByRole('list', { name: 'Context sent with this message' }).count()).toBe(1);
  });

  it('completes files, commands and conversations by key', async () => {
    await composer().fill('first things first');
    await composer().press('Enter');
    await answered();
    await at.page.getByRole('button', { name: 'New thread' }).first().click();
    await composer().pressSequentially('compare @mod');
    await suggestions().getByRole('option', { name: '@model.py' }).waitFor();
    expect(await violations(at.page)).toEqual([]);
    await composer().press('Enter');
    expect(await composer().inputValue()).toBe('compare @src/model.py ');
    await composer().pressSequentially('@first');
    await suggestions().getByRole('option', { name: '@thread first things first' }).waitFor();
    await composer().press('Tab');
    await at.page.getByRole('list', { name: 'Attached context' }).getByText('Thread “first things first”').waitFor();
    await composer().press('Enter');
    await unfold('Thread “first things first”');
    await log().getByText('Last message:', { exact: false }).waitFor();
    expect(await at.page.getByRole('list', { name: 'Attached context' }).count()).toBe(0);
  });

  it('knows words with a slash, also of the workspace', async () => {
    await composer().pressSequentially('/');
    await suggestions().getByRole('option', { name: '/explain' }).waitFor();
    await composer().pressSequentially('gr');
    await suggestions().getByRole('option', { name: '/greet Greets somebody' }).waitFor();
    await composer().press('Enter');
    expect(await composer().inputValue()).toBe('/greet ');
    await composer().pressSequentially('Ada');
    await composer().press('Enter');
    await answered();
    await unfold('/greet');
    await log().getByText('Say hello to Ada.', { exact: false }).waitFor();
  });

  it('closes the list when a command that is written out is sent', async () => {
    await composer().pressSequentially('/explain');
    await suggestions().waitFor();
    await composer().press('Enter');
    await answered();
    expect(await composer().inputValue()).toBe('');
    expect(await suggestions().count()).toBe(0);
  });

  it('closes the list by Escape, and has nothing that axe finds, dark and narrow', async () => {
    await composer().pressSequentially('@');
    await suggestions().waitFor();
    await composer().press('Escape');
    await expect.poll(() => suggestions().count()).toBe(0);
    for (const width of [1440, 900, 600]) {
      const page = await openWindow(at.browser, at.server, { viewport: { width, height: 800 }, colorScheme: 'dark' });
      await page.keyboard.press('Control+j');
      const field = page.getByRole('textbox', { name: 'Message to the assistant' });
      await field.pressSequentially('/');
      await page.getByRole('listbox', { name: 'Suggestions' }).waitFor();
      expect(await violations(page), `${width}`).toEqual([]);
      await page.context().close();
    }
  });
});
