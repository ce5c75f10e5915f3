import { describe, expect, it } from 'vitest';
import { eachOn } from './each';
import { act, editor, freePort, openFromTree, openWindow, serve, textOf } from './support';

const at = eachOn({ 'lib/model.py': 'one\ntwo\nthree\n' });

const onDisk = () => expect.poll(() => at.workspace.read('lib/model.py'), { timeout: 10_000 });

describe('a file that is open', () => {
  it('is written to disk soon after it was typed into', async () => {
    const page = await openWindow(at.browser, at.server);
    await openFromTree(page, 'lib/model.py');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('four');
    await onDisk().toBe('one\ntwo\nthree\nfour');
    await page.getByText('Saved', { exact: true }).waitFor();
  });

  it('is the same in two windows, with the other one’s cursor', async () => {
    const first = await openWindow(at.browser, at.server);
    const second = await openWindow(at.browser, at.server);
    await openFromTree(first, 'lib/model.py');
    await openFromTree(second, 'lib/model.py');
    await editor(first, 'lib/model.py').click();
    await first.keyboard.press('Control+Home');
    await first.keyboard.type('A');
    await second.keyboard.press('Control+End');
    await second.keyboard.type('Z');
    await expect.poll(() => textOf(first, 'lib/model.py')).toContain('Z');
    await expect.poll(() => textOf(second, 'lib/model.py')).toContain('Aone');
    await second.locator('.cm-peer-caret').waitFor();
    await onDisk().toBe('Aone\ntwo\nthree\nZ');
  });

  it('takes in what another program writes, and keeps what is being typed', async () => {
    const page = await openWindow(at.browser, at.server);
    await openFromTree(page, 'lib/model.py');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('mine');
    await onDisk().toContain('mine');
    at.workspace.write('lib/model.py', at.workspace.read('lib/model.py').replace('one', 'ONE'));
    await page.keyboard.type(' too');
    await expect.poll(() => textOf(page, 'lib/model.py'), { timeout: 10_000 }).toContain('ONE');
    await onDisk().toBe('ONE\ntwo\nthree\nmine too');
  });

  it('takes back by itself what a key did right after something was typed', async () => {
    const page = await openWindow(at.browser, at.server);
    await openFromTree(page, 'lib/model.py');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('four');
    // Needs no language, which comes after the text.
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => textOf(page, 'lib/model.py')).toBe('one\ntwo\nfour\nthree');
    await page.keyboard.press('Control+z');
    await expect.poll(() => textOf(page, 'lib/model.py')).toBe('one\ntwo\nthree\nfour');
    await page.keyboard.press('Control+z');
    await expect.poll(() => textOf(page, 'lib/model.py')).toBe('one\ntwo\nthree\n');
  });

  it('takes back in order what was typed and what an action did', async () => {
    const page = await openWindow(at.browser, at.server);
    await openFromTree(page, 'lib/model.py');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('typed');
    await onDisk().toContain('typed');
    const edited = await act(at.server, 'doc.edit', {
      path: 'lib/model.py',
      edits: [{ start: 2, end: 2, old: 'two', new: 'TWO' }],
    });
    expect(edited.state).toBe('done');
    await expect.poll(() => textOf(page, 'lib/model.py')).toContain('TWO');
    await page.keyboard.press('Control+z');
    await expect.poll(() => textOf(page, 'lib/model.py')).toBe('one\ntwo\nthree\ntyped');
    await page.keyboard.press('Control+z');
    await expect.poll(() => textOf(page, 'lib/model.py')).toBe('one\ntwo\nthree\n');
    await page.keyboard.press('Control+Shift+Z');
    await page.keyboard.press('Control+Shift+Z');
    await expect.poll(() => textOf(page, 'lib/model.py')).toBe('one\nTWO\nthree\ntyped');
  });
});

describe('a server that is killed and started again', () => {
  const TOKEN = 'a-token-of-this-test-that-is-long-enough';

  /** A window that typed before the at.server was killed, and after. */
  async function typedAcross(port: number, token?: string) {
    await at.server.kill();
    at.server = await serve(at.workspace, port, token);
    const page = await openWindow(at.browser, at.server);
    await openFromTree(page, 'lib/model.py');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('before ');
    await at.server.kill();
    await page.getByText('Your edits sync when it is back.').first().waitFor();
    await editor(page, 'lib/model.py').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('meanwhile');
    await page.getByText('not synced yet').waitFor();
    return page;
  }

  it('loses nothing, and the window goes on by itself', async () => {
    const port = await freePort();
    const page = await typedAcross(port, TOKEN);
    at.server = await serve(at.workspace, port, TOKEN);
    await page.getByText('Synced', { exact: true }).waitFor();
    await onDisk().toBe('one\ntwo\nthree\nbefore meanwhile');
  });

  it('needs no new link after a restart', async () => {
    const port = await freePort();
    const page = await typedAcross(port);
    at.server = await serve(at.workspace, port);
    await page.getByText('Synced', { exact: true }).waitFor();
    await onDisk().toBe('one\ntwo\nthree\nbefore meanwhile');
  });

  it('asks for the link of another chosen token', async () => {
    const port = await freePort();
    const page = await typedAcross(port, TOKEN);
    at.server = await serve(at.workspace, port);
    await page.getByLabel('Link or token').fill(`${at.server.url}#token=${at.server.token}`);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('Synced', { exact: true }).waitFor();
    await onDisk().toBe('one\ntwo\nthree\nbefore meanwhile');
  });
});
