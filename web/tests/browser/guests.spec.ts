import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachOn } from './each';
import { ai, cellOf, code, go, notebookOf, openNotebook } from './notebooks';
import { guestToken, post } from './support';

const PYTHON = process.env.ASIDE_TEST_PYTHON;

const shown = (data: object) => ({ output_type: 'display_data', metadata: {}, data });
const SCRIPT = shown({ 'text/html': ['<script>document.body.append("ran")</script><b>markup</b>'] });

/** Prints a line whenever it is told to. */
const SLOW = `import os, time
for n in range(3):
    while not os.path.exists(f'go{n}'): time.sleep(0.02)
    print('line', n)
from IPython.display import HTML
HTML('<b>bold</b>')`;

const NOTEBOOK = notebookOf([
  code('slow', SLOW),
  code('ask', "input('your word? ')"),
  code('long', "print('x' * 3_000_000 + 'the end')"),
  code('foreign', '0', [SCRIPT]),
  ai('answered', 'What is it?', [shown({ 'text/markdown': ['It is the **third**.'] })]),
  code('slider', 'import ipywidgets; ipywidgets.IntSlider(3, description="Height")'),
]);

/** The window of a guest. */
async function guest(at: Parameters<typeof openNotebook>[0]): Promise<Page> {
  const token = await guestToken(at.server, 'Ben');
  return openNotebook({ ...at, server: { ...at.server, token } });
}

describe.skipIf(!PYTHON)('a guest with a notebook open', () => {
  const at = eachOn({ 'tides.ipynb': NOTEBOOK }, () => ({ VIRTUAL_ENV: dirname(dirname(PYTHON ?? '')) }));
  const outputOf = (page: Page, id: string) => cellOf(page, id).locator('[data-output]');

  async function run(page: Page, id: string): Promise<void> {
    await go(page, id);
    await page.keyboard.press('Control+Enter');
  }

  it('sees what cells put out as it comes, and after a reload', async () => {
    const [owner, ben] = [await openNotebook(at), await guest(at)];
    await run(owner, 'slow');
    for (const n of [0, 1, 2]) {
      at.workspace.write(`go${n}`, '');
      await outputOf(ben, 'slow').getByText(`line ${n}`).waitFor({ timeout: 30_000 });
    }
    await outputOf(ben, 'slow').locator('b', { hasText: 'bold' }).waitFor();
    await expect.poll(() => cellOf(ben, 'slow').getAttribute('aria-label')).toBe('Cell 1, code, run 1, done');
    await ben.reload();
    await outputOf(ben, 'slow').getByText('line 2').waitFor();
    expect(await violations(ben)).toEqual([]);
  });

  it('opens all of what is long, and is shown controls without a way to move them', async () => {
    const [owner, ben] = [await openNotebook(at), await guest(at)];
    await run(owner, 'long');
    await outputOf(ben, 'long').getByRole('button', { name: 'Show all' }).click({ timeout: 30_000 });
    await outputOf(ben, 'long').getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' });
    await run(owner, 'slider');
    const slider = outputOf(ben, 'slider').getByRole('slider', { name: 'Height' });
    await slider.waitFor({ timeout: 30_000 });
    expect(await slider.isDisabled()).toBe(true);
  });

  it('reads the answers of models, and asks for nothing that is the owner’s', async () => {
    const page = await (await guest(at)).context().newPage();
    const refused: string[] = [];
    page.on('response', (answer) => answer.status() >= 400 && refused.push(answer.url()));
    await page.goto(`${at.server.url}w/x/f/tides.ipynb`);
    await outputOf(page, 'answered').locator('strong', { hasText: 'third' }).waitFor();
    expect(await cellOf(page, 'answered').getByRole('button', { name: /model/i }).count()).toBe(0);
    expect(refused).toEqual([]);
  });

  it('sees nothing of what the owner is asked or has to decide, and runs no script that came with the file', async () => {
    const [owner, ben] = [await openNotebook(at), await guest(at)];
    await run(owner, 'ask');
    await owner.getByRole('form', { name: 'Input for the code' }).waitFor({ timeout: 30_000 });
    await expect.poll(() => cellOf(ben, 'ask').getAttribute('aria-label')).toBe('Cell 2, code, run 1, running');
    expect(await ben.getByRole('form', { name: 'Input for the code' }).count()).toBe(0);
    await outputOf(ben, 'foreign').locator('b', { hasText: 'markup' }).waitFor();
    await post(at.server, 'actions', {
      action_type: 'notebook.trust',
      args: { path: 'tides.ipynb', trusted: true },
    });
    expect(await ben.locator('iframe').count()).toBe(0);
  });
});
