import { describe, expect, it } from 'vitest';
import type { Submitted } from '../../src/wire/gen/types';
import { everywhere, violations } from './axe';
import { eachInWindow } from './each';
import { act, post } from './support';

const at = eachInWindow({
  'one.csv': '1\n',
  'two.csv': '2\n',
  'three.csv': '3\n',
  'notes.md': '# Notes\n',
});

const remove = (path: string) => act(at.server, 'file.delete', { path });
const waiting = () => at.page.getByRole('list', { name: 'Waiting for you' });

describe('what needs you', () => {
  it('is counted in the top bar, opens with a key, and is answered by key, whole and one after the other', async () => {
    await remove('one.csv');
    await remove('two.csv');
    await at.page.getByRole('button', { name: '2 actions waiting for you' }).waitFor();
    await at.page.keyboard.press('Alt+u');
    await waiting().getByText('Approval required because:', { exact: false }).waitFor();
    expect(at.page.url()).toMatch(/\/needs-you$/);
    await at.page.waitForTimeout(500);
    await at.page.keyboard.press('Alt+y');
    await waiting().getByRole('button', { name: 'Really accept' }).waitFor();
    expect(at.workspace.has('one.csv')).toBe(true);
    await at.page.keyboard.press('Alt+y');
    await expect.poll(() => at.workspace.has('one.csv')).toBe(false);
    // The next one is open and has the keyboard; a key that is still held answers nothing.
    await waiting()
      .getByRole('button', { name: /two\.csv/, expanded: true })
      .waitFor();
    await at.page.keyboard.press('Alt+n');
    await at.page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    expect(at.workspace.has('two.csv')).toBe(true);
  });

  it('is answered together for one kind of call, without what is left out', async () => {
    for (const path of ['one.csv', 'two.csv', 'three.csv']) await remove(path);
    await at.page.getByRole('button', { name: '3 actions waiting for you' }).click();
    await at.page.getByRole('button', { name: 'Confirm 3 × file.delete together…' }).click();
    const dialog = at.page.getByRole('dialog', { name: 'Confirm 3 × file.delete' });
    await dialog.getByRole('checkbox', { name: /two\.csv/ }).uncheck();
    const answers: string[] = [];
    at.page.on('request', (sent) => sent.url().includes('/decision') && answers.push(new URL(sent.url()).pathname));
    const yes = dialog.getByRole('button', { name: 'Yes, do these 2' });
    await expect.poll(() => yes.isEnabled()).toBe(true);
    await yes.focus();
    await at.page.keyboard.press('Enter');
    await expect.poll(() => at.workspace.has('one.csv') || at.workspace.has('three.csv')).toBe(false);
    expect(at.workspace.has('two.csv')).toBe(true);
    await at.page.getByRole('heading', { name: '1 waiting for you' }).waitFor();
    expect(answers).toEqual(['/api/v1/actions/decisions']);
  });

  it('leaves out of a batch what has changed since it was shown', async () => {
    for (const path of ['one.csv', 'two.csv']) await remove(path);
    await at.page.getByRole('button', { name: '2 actions waiting for you' }).click();
    at.workspace.write('one.csv', 'changed by another program, and longer\n');
    await at.page.getByRole('button', { name: /together…/ }).click();
    await at.page.getByRole('button', { name: 'Yes, do all 2' }).click();
    await at.page.getByText('1 of 2 confirmed', { exact: false }).first().waitFor();
    expect(at.workspace.read('one.csv')).toContain('changed by another program');
    await waiting().getByText('The preview has changed', { exact: false }).waitFor();
  });
});

describe('what was done', () => {
  it('is found by what is in the URL, opened by key, and taken back from there', async () => {
    await act(at.server, 'doc.edit', { path: 'notes.md', edits: [{ old: '# Notes\n', new: '# Tides\n' }] });
    await act(at.server, 'file.create', { path: 'new.md', text: 'x\n' });
    await at.page.goto(`${at.server.url}w/x/audit?object=notes.md`);
    const rows = at.page.getByRole('list', { name: 'Actions, Today' });
    await expect.poll(() => rows.getByRole('listitem').count()).toBe(1);
    await at.page.getByRole('searchbox', { name: 'Search the activity log' }).fill('nothing-like-it');
    await at.page.getByRole('heading', { name: 'No matches' }).waitFor();
    await expect.poll(() => at.page.url()).toContain('q=nothing-like-it');
    await at.page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => rows.getByRole('listitem').count()).toBe(2);
    await rows.getByRole('button').first().focus();
    await at.page.keyboard.press('j');
    await at.page.keyboard.press('Enter');
    await rows.getByText('+1 −1').waitFor();
    await rows.getByRole('button', { name: /^Copy the envelope hash/ }).waitFor();
    await rows.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => at.workspace.read('notes.md')).toBe('# Notes\n');
    await rows.getByText('Already undone.').waitFor();
    await at.page.getByRole('button', { name: 'Verify' }).click();
    await at.page.getByText('none changed or removed', { exact: false }).first().waitFor();
    await at.page.getByRole('textbox', { name: 'Earlier last hash' }).fill('a'.repeat(64));
    await at.page.keyboard.press('Enter');
    await at.page.getByText('are intact', { exact: false }).first().waitFor();
  });

  it('says what was changed since, if something can’t be taken back', async () => {
    const edit = (old: string, next: string) =>
      act(at.server, 'doc.edit', { path: 'notes.md', edits: [{ old, new: next }] });
    await edit('# Notes\n', '# Tides\n');
    await edit('# Tides\n', '# Mine by now\n');
    await at.page.goto(`${at.server.url}w/x/audit?object=notes.md`);
    const rows = at.page.getByRole('list', { name: 'Actions, Today' });
    await rows.getByRole('button').last().click();
    await rows.getByRole('button', { name: 'Undo', exact: true }).click();
    await rows.getByText('would be lost', { exact: false }).waitFor();
    await rows.getByText('# Mine by now').last().waitFor();
    expect(await violations(at.page)).toEqual([]);
    await rows.getByRole('button', { name: 'Show in file' }).click();
    await at.page.getByRole('textbox', { name: 'Text of notes.md' }).waitFor();
    expect(at.workspace.read('notes.md')).toBe('# Mine by now\n');
  });

  it('names the files that keep a command from being taken back, and takes the others back', async () => {
    const command = 'echo theirs > one.csv; echo theirs > two.csv';
    const { id, record } = await post<Submitted>(at.server, 'actions', { action_type: 'shell.run', args: { command } });
    await post(at.server, `actions/${id}/decision`, { decision: 'approve', hash: record.approval_hash });
    at.workspace.write('two.csv', 'mine\n');
    await at.page.goto(`${at.server.url}w/x/audit?action=shell.run`);
    const rows = at.page.getByRole('list', { name: 'Actions, Today' });
    await rows.getByRole('button').first().click();
    await rows.getByRole('button', { name: 'Undo', exact: true }).click();
    const refused = rows.getByRole('list', { name: 'Files with later changes' });
    await refused.getByText('it has changed since').waitFor();
    expect(await refused.getByRole('button').allTextContents()).toEqual(['two.csv']);
    expect(await violations(at.page)).toEqual([]);
    await rows.getByRole('button', { name: 'Restore the other files' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Yes, do it' }).click();
    await expect.poll(() => at.workspace.read('one.csv')).toBe('1\n');
    expect(at.workspace.read('two.csv')).toBe('mine\n');
  });

  it('has nothing that axe finds, opened, and neither has what needs you', async () => {
    await act(at.server, 'doc.edit', { path: 'notes.md', edits: [{ old: '# Notes\n', new: '# Tides\n' }] });
    await remove('one.csv');
    await remove('two.csv');
    await at.page.goto(`${at.server.url}w/x/audit`);
    await at.page.getByRole('list', { name: 'Actions, Today' }).getByRole('button').first().click();
    await at.page.getByText('Hashed log entry').click();
    await everywhere(at.page);
    await at.page.keyboard.press('Alt+u');
    await waiting().waitFor();
    await everywhere(at.page);
    await at.page.getByRole('button', { name: /together…/ }).click();
    await at.page.getByRole('dialog').waitFor();
    await everywhere(at.page);
  });
});
