import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everywhere, violations } from './axe';
import { eachInWindow } from './each';
import { act } from './support';

const at = eachInWindow({ 'notes.md': '# Notes\n', 'one.csv': '1\n', 'two.csv': '2\n' });

const file = () => join(at.workspace.home, 'data', 'policy.toml');
const form = () => at.page.getByRole('form', { name: 'Test rules' });
const found = () => form().getByRole('region', { name: 'Test result' });

function write(rules: string): void {
  mkdirSync(join(at.workspace.home, 'data'), { recursive: true, mode: 0o700 });
  writeFileSync(file(), rules);
}

async function openRules(): Promise<void> {
  await at.page.keyboard.press('Control+k');
  await at.page.getByRole('dialog').waitFor();
  await at.page.keyboard.type('Permissions');
  await at.page.keyboard.press('Enter');
  await at.page.getByRole('heading', { name: 'Permissions', exact: true }).waitFor();
}

describe('the rules', () => {
  it('are listed layer by layer, and tried on a request by key alone', async () => {
    await openRules();
    await at.page.getByRole('list', { name: 'Rules: Built in' }).getByText('default/destructive').waitFor();
    await form().getByLabel('Action').focus();
    await at.page.keyboard.type('file.delete');
    await form().getByLabel('Arguments (JSON)').fill('{"path": "one.csv"}');
    const led = form().getByRole('checkbox', { name: /^An untrusted source led to it/ });
    await at.page.keyboard.press('Tab');
    await at.page.keyboard.press('Space');
    await at.page.keyboard.press('Tab');
    await at.page.keyboard.press('Enter');
    await found().getByText('label/external').first().waitFor();
    await led.uncheck();
    await form().getByRole('button', { name: 'Check', exact: true }).press('Enter');
    await found().getByText('It would wait for your approval.').waitFor();
    await found().getByRole('list', { name: 'Rules that match' }).getByText('decides').waitFor();
    expect(at.workspace.has('one.csv')).toBe(true);
  });

  it('say what is wrong with their file, and where', async () => {
    write('[[rule]]\nname = "wide"\nruling = "allow"\naction = "no such action"\n');
    await openRules();
    const mine = at.page.getByRole('region', { name: 'Yours' });
    await mine.getByText('This file has an error', { exact: false }).waitFor();
    await mine
      .locator('pre')
      .getByText(/policy\.toml:\d+/)
      .waitFor();
    write('[[rule]]\nname = "notes"\nruling = "deny"\naction = "file.delete"\npaths = ["*.csv"]\n');
    await at.page.getByRole('button', { name: 'Reload', exact: true }).click();
    await mine.getByText('user/notes').first().waitFor();
    expect(await mine.getByRole('alert').count()).toBe(0);
  });

  it('say what is wrong with a request', async () => {
    await openRules();
    await form().getByLabel('Action').fill('file.delete');
    await form().getByLabel('Arguments (JSON)').fill('{path');
    await form().getByRole('button', { name: 'Check' }).click();
    await form().getByRole('alert').getByText('not valid JSON', { exact: false }).waitFor();
  });
});

describe('an answer that is remembered', () => {
  it('shows the exact rule and how far it reaches before it is stored, and then asks no more', async () => {
    await act(at.server, 'file.delete', { path: 'one.csv' });
    await at.page.keyboard.press('Alt+u');
    const waiting = at.page.getByRole('list', { name: 'Waiting for you' });
    await waiting.getByRole('button', { name: 'More answers' }).click();
    await at.page.getByRole('menuitem', { name: 'Accept and remember…' }).click();
    const offer = waiting.getByRole('region', { name: 'Accept and remember' });
    await offer.getByText('Always, in this workspace').waitFor();
    const text = await offer.locator('pre').textContent();
    expect(text).toContain('paths = ["one.csv"]');
    await offer.getByRole('button', { name: 'Accept and remember' }).click();
    await expect.poll(() => at.workspace.has('one.csv')).toBe(false);
    expect(readFileSync(file(), 'utf8')).toContain('paths = ["one.csv"]\norigins = ["cli"]');
    at.workspace.write('one.csv', 'again\n');
    expect((await act(at.server, 'file.delete', { path: 'one.csv' })).state).toBe('done');
    expect((await act(at.server, 'file.delete', { path: 'two.csv' })).state).toBe('awaiting_confirmation');
    await openRules();
    await at.page.getByRole('list', { name: 'Rules: Yours' }).getByText('user/file.delete-1').first().waitFor();
  });

  it('can be made wider, which is said plainly, or narrower; what makes no sense can’t be sent', async () => {
    await act(at.server, 'file.delete', { path: 'one.csv' });
    await at.page.keyboard.press('Alt+u');
    const waiting = at.page.getByRole('list', { name: 'Waiting for you' });
    await waiting.getByRole('button', { name: 'More answers' }).click();
    await at.page.getByRole('menuitem', { name: 'Accept and remember…' }).click();
    const offer = waiting.getByRole('region', { name: 'Accept and remember' });
    const yes = offer.getByRole('button', { name: 'Accept and remember' });
    await offer.getByRole('button', { name: 'Edit rule…' }).click();
    await offer.getByLabel('Files').fill('two.csv');
    await offer.getByRole('alert').getByText('it would not allow this request', { exact: false }).waitFor();
    expect(await yes.isDisabled()).toBe(true);
    await offer.getByLabel('Files').fill('*.csv');
    await offer.getByLabel(/^Expires/).fill('2999-01-01');
    await offer.getByText('The rule allows more than this request:').waitFor();
    await offer.getByText('Every file that matches *.csv.').waitFor();
    await offer.locator('pre').getByText('expires = "2999-01-01"', { exact: false }).waitFor();
    expect(await violations(at.page)).toEqual([]);
    await expect.poll(() => yes.isEnabled()).toBe(true);
    await yes.click();
    await expect.poll(() => at.workspace.has('one.csv')).toBe(false);
    expect(readFileSync(file(), 'utf8')).toContain('paths = ["*.csv"]');
    expect((await act(at.server, 'file.delete', { path: 'two.csv' })).state).toBe('done');
  });
});

describe('whose content a file has', () => {
  it('is said beside its name, and a person can say otherwise and take it back', async () => {
    at.workspace.write('build.log', 'a log\n');
    await at.page.goto(`${at.server.url}w/x/f/build.log`);
    const chip = at.page.getByRole('button', { name: 'Untrusted source' });
    await chip.focus();
    await at.page.keyboard.press('Enter');
    const dialog = at.page.getByRole('dialog', { name: 'Source of this file' });
    await dialog.getByText('a log', { exact: false }).first().waitFor();
    expect(await violations(at.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Mark as yours' }).click();
    const mine = at.page.getByRole('button', { name: 'Yours', exact: true });
    await mine.waitFor();
    await at.page.getByRole('button', { name: /^Undo: Marked/ }).click();
    await chip.waitFor();
    await at.page.goto(`${at.server.url}w/x/f/notes.md`);
    await mine.click();
    await dialog.getByRole('button', { name: 'Mark as untrusted' }).click();
    await chip.click();
    await dialog.getByRole('button', { name: 'Reset' }).click();
    await mine.waitFor();
  });
});

it('the rules have nothing that axe finds', async () => {
  write('[[rule]]\nname = "wide"\n');
  await at.page.goto(`${at.server.url}w/x/settings/rules`);
  await form().getByLabel('Action').fill('doc.edit');
  await form().getByRole('button', { name: 'Check' }).click();
  await found().or(form().getByRole('alert')).first().waitFor();
  await everywhere(at.page);
});
