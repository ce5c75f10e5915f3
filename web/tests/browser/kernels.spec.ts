import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachOn } from './each';
import { cellOf, go, NOTEBOOK, openNotebook } from './notebooks';
import { openWindow, serve } from './support';

const LINE = '.venv/bin/python -m pip install --disable-pip-version-check --no-input ipykernel';

/** A machine that has Python and no kernel, whatever the one of the test has. */
const machine = mkdtempSync(join(tmpdir(), 'aside-machine-'));
const bare = { PATH: join(machine, 'bin'), ASIDE_SYSTEM_JUPYTER: '' };
mkdirSync(bare.PATH);
writeFileSync(join(bare.PATH, 'python3'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
afterAll(() => rmSync(machine, { recursive: true }));

describe('a notebook without a kernel', () => {
  const at = eachOn({ 'tides.ipynb': NOTEBOOK }, () => bare);

  it('shows what setting up Python would run, as the action says it, and waits for a yes to that', async () => {
    const page = await openNotebook(at);
    await page.getByText('No kernel found.').waitFor();
    await page.getByRole('button', { name: 'Set up Python…' }).click();
    // It installs programs from the network, so that the rules have a person asked.
    const asked = page.getByRole('dialog');
    await asked.getByText(LINE).waitFor();
    await asked.getByText('Can use the network.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Set up Python…' }).waitFor();
    expect(at.workspace.has('.venv')).toBe(false);
  });

  it('still offers it after a cell was run in vain', async () => {
    const page = await openNotebook(at);
    await page.getByText('No kernel found.').waitFor();
    await go(page, 'first');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => cellOf(page, 'first').getAttribute('aria-label')).toBe('Cell 2, code, not run');
    await page.getByRole('button', { name: 'Set up Python…' }).waitFor();
    expect(await page.getByText('aside kernels list').count()).toBe(0);
  });

  it('says why Python can’t be set up, before it is tried', async () => {
    at.workspace.write('.venv/notes.txt', 'no Python in it');
    const page = await openNotebook(at);
    await page.getByText('exists but has no Python in it').waitFor();
    expect(await page.getByRole('button', { name: 'Set up Python…' }).isDisabled()).toBe(true);
  });

  it('offers it where only another language has one', async () => {
    const file = join(at.workspace.home, '.local/share/jupyter/kernels/ir/kernel.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ argv: ['R', '{connection_file}'], display_name: 'R', language: 'R' }));
    const page = await openNotebook(at);
    await page.getByText('No Python kernel found.').waitFor();
    await page.getByRole('button', { name: /^Kernel: / }).click();
    const dialog = page.getByRole('dialog', { name: 'Kernel' });
    await dialog.getByRole('button', { name: 'Set up Python…' }).waitFor();
    await dialog.getByRole('button', { name: /^R\b/ }).waitFor();
  });

  it('offers to add one to each environment of the workspace that has none', async () => {
    for (const environment of ['.venv', 'env']) {
      at.workspace.write(`${environment}/pyvenv.cfg`, 'home = /usr/bin');
      at.workspace.write(`${environment}/bin/python`, '');
      at.workspace.write(`${environment}/bin/pip`, '');
    }
    const page = await openNotebook(at);
    await page.getByRole('button', { name: /^Kernel: / }).click();
    const dialog = page.getByRole('dialog', { name: 'Kernel' });
    const row = dialog.getByRole('region', { name: 'No kernel: env' });
    await row.getByText('needs ipykernel to run notebooks').waitFor();
    expect(await violations(page)).toEqual([]);
    await row.getByRole('button', { name: 'Install ipykernel…' }).click();
    await page.getByRole('dialog').getByText(LINE.replace('.venv', 'env')).waitFor();
    await page.keyboard.press('Escape');
  });
});

const PYTHON = process.env.ASIDE_TEST_PYTHON;

const active = (): Record<string, string> => (PYTHON ? { VIRTUAL_ENV: dirname(dirname(PYTHON)) } : {});

/** Kills the relay of a kernel, and keeps another from taking its place until it is ended itself. */
const HOLD = `import fcntl, os, signal, sys, time
held = open(sys.argv[1])
while True:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        break
    except OSError:
        for pid in filter(str.isdigit, os.listdir('/proc')):
            try:
                line = open(f'/proc/{pid}/cmdline').read()
                if line.split('\\0')[1:3] == ['kernel-relay', sys.argv[1]]: os.kill(int(pid), signal.SIGKILL)
            except OSError: pass
        time.sleep(0.02)
print('held', flush=True)
time.sleep(600)`;

describe.skipIf(!PYTHON)('a kernel that can’t be reached', () => {
  const at = eachOn({ 'tides.ipynb': NOTEBOOK }, active);

  it('is told of, and can be ended', async () => {
    const page = await openNotebook(at);
    await go(page, 'first');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('import ipykernel; print(ipykernel.get_connection_file())');
    await page.keyboard.press('Control+Enter');
    const output = cellOf(page, 'first').locator('[data-output]');
    await output.getByText('.json').waitFor({ timeout: 30_000 });
    const file = /\S+\.json/.exec((await output.textContent()) ?? '')?.[0] ?? '';
    await at.server.kill();
    const holding = spawn(PYTHON ?? '', ['-c', HOLD, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(holding.stdout, 'data');
      at.server = await serve(at.workspace);
      const again = await openNotebook(at);
      const line = again.getByRole('status').filter({ has: again.getByRole('button', { name: 'Shut down' }) });
      await line.waitFor({ timeout: 30_000 });
      expect(await violations(again)).toEqual([]);
      await line.getByRole('button', { name: 'Shut down' }).click();
      await again.getByRole('button', { name: /^Kernel: .*not running/ }).waitFor({ timeout: 30_000 });
      await line.waitFor({ state: 'detached' });
    } finally {
      holding.kill();
    }
  });
});

describe.skipIf(!PYTHON)('the kernels of other notebooks', () => {
  const at = eachOn({ 'tides.ipynb': NOTEBOOK, 'other.ipynb': NOTEBOOK }, active);

  it('are listed with how long they idle, and are shut down from there', async () => {
    const other = await openWindow(at.browser, at.server, { path: 'w/x/f/other.ipynb' });
    await cellOf(other, 'first').waitFor();
    await go(other, 'first');
    await other.keyboard.press('Control+Enter');
    await cellOf(other, 'first').locator('[data-output]').getByText('hello').waitFor({ timeout: 30_000 });
    const page = await openNotebook(at);
    await page.getByRole('button', { name: /^Kernel: / }).click();
    const dialog = page.getByRole('dialog', { name: 'Kernel' });
    const list = dialog.getByRole('list', { name: 'Kernels of other notebooks' });
    await list.getByText(/Python 3.*, idle/).waitFor();
    expect(await violations(page)).toEqual([]);
    await list.getByRole('button', { name: 'Shut down the kernel of other.ipynb' }).click();
    await page
      .getByRole('dialog', { name: 'Shut down the kernel of other.ipynb?' })
      .getByRole('button', { name: 'Shut down' })
      .click();
    await list.waitFor({ state: 'detached' });
    await other.getByRole('button', { name: /^Kernel: .*not running/ }).waitFor();
  });
});
