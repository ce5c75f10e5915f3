// The pictures of the documentation: `ASIDE_PICTURES=../docs/images npm run test:browser -- tests/browser/pictures.spec.ts`
// takes them anew; without that only what they show is looked for.
import { dirname } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cellOf, code, go, notebookOf, text } from './notebooks';
import { editor, launch, openFromTree, openWindow, type Server, serve, serveDemo, Workspace } from './support';

/** A Python with ipykernel; `cargo xtask test` names one. */
const PYTHON = process.env.ASIDE_TEST_PYTHON;
const LIGHT = { colorScheme: 'light', viewport: { width: 1440, height: 900 } } as const;

const NOTEBOOK = notebookOf([
  text(
    'head',
    '# Tides of the North Sea\n\nHeights by *harmonic* analysis: $h(t) = \\sum_i A_i \\cos(\\omega_i t + \\varphi_i)$.',
  ),
  code(
    'tide',
    "import math\n\ndef tide(hour):\n    return 1.2 * math.cos(2 * math.pi * hour / 12.42)\n\nfor hour in range(0, 12, 3):\n    print(f'{hour:>2} h  \\x1b[34m{tide(hour):+.2f} m\\x1b[0m')",
  ),
  code(
    'table',
    "import pandas\nhours = range(3)\npandas.DataFrame({'hour': hours, 'height': [round(tide(hour), 2) for hour in hours]})",
  ),
  code('slope', 'slope = (tide(1) - tide(0)) / (1 - 1)'),
]);

const FIELD =
  '# Field trip\n\nTwo days at the [[harbour]].\n\n- [ ] read the tide gauge [due:: 2026-12-01]\n- [ ] photograph the marks\n- [ ] send the readings\n';
const TICKED = ['read the tide gauge', 'photograph the marks', 'send the readings'];
const TICKS = {
  name: 'tour',
  replies: [
    {
      when: 'harbour',
      steps: [
        {
          text: 'Three todos belong to the harbour.',
          calls: [
            {
              name: 'todo.done',
              args: { todos: TICKED.map((text, index) => ({ path: 'field.md', line: index + 5, text })) },
            },
          ],
        },
        { text: 'They are ticked.' },
      ],
    },
  ],
  otherwise: 'I only know these.',
};

let browser: Browser;
let workspace: Workspace;
let server: Server;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  workspace = new Workspace({ 'aside-demo/tides.ipynb': NOTEBOOK });
  if (PYTHON) workspace.set('VIRTUAL_ENV', dirname(dirname(PYTHON)));
  server = await serveDemo(workspace);
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await server.kill();
  workspace.remove();
});

async function take(page: Page, name: string): Promise<void> {
  const folder = process.env.ASIDE_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, caret: 'initial' });
}

describe('the picture', () => {
  it('of the review shows the assistant beside a file, with its changes in the editor', async () => {
    const page = await openWindow(browser, server, LIGHT);
    await openFromTree(page, 'tides/harmonics.py');
    const composer = page.getByRole('textbox', { name: 'Message to the assistant' });
    await composer.fill('rename ht to constituent_height');
    await composer.press('Enter');
    const changes = editor(page, 'tides/harmonics.py').getByRole('group', { name: /^Change / });
    await expect.poll(() => changes.count()).toBe(4);
    await page.getByRole('tab', { name: 'Chat' }).waitFor();
    await page.keyboard.press('Alt+]');
    await changes.nth(1).scrollIntoViewIfNeeded();
    const log = page.getByRole('log', { name: 'Conversation' });
    await log.locator('code', { hasText: 'ht' }).first().waitFor();
    await log.getByRole('group', { name: /^Change 1 of 4/ }).scrollIntoViewIfNeeded();
    await take(page, 'review');
  });

  it('of the search shows places in a notebook', async () => {
    const page = await openWindow(browser, server, LIGHT);
    await page.keyboard.press('Alt+f');
    const box = page.getByRole('combobox', { name: 'Search' });
    await box.fill('tide height');
    const place = page.getByRole('group', { name: 'analysis.ipynb' }).getByRole('option', { name: /Cell 3/ });
    await place.click();
    await page.locator('[data-cell][data-active=true]').getByText('worst error').first().waitFor();
    await take(page, 'search');
  });

  it('of a form shows the todos to tick', async () => {
    const notes = new Workspace({ 'field.md': FIELD, '.aside/rehearsal.json': JSON.stringify(TICKS) });
    const own = await serve(notes);
    try {
      const page = await openWindow(browser, own, LIGHT);
      await openFromTree(page, 'field.md');
      const composer = page.getByRole('textbox', { name: 'Message to the assistant' });
      await composer.fill('The harbour is done: tick what belongs to it');
      await composer.press('Enter');
      const form = page
        .getByRole('log', { name: 'Conversation' })
        .getByRole('region', { name: /waiting for user input$/ });
      await form.getByRole('checkbox').last().uncheck();
      await expect.poll(() => form.getByRole('button', { name: 'Submit' }).isEnabled()).toBe(true);
      await take(page, 'form');
    } finally {
      await own.kill();
      notes.remove();
    }
  });

  it.skipIf(!PYTHON)('of a notebook shows its outputs, its kernel and an error that can be asked about', async () => {
    const page = await openWindow(browser, server, { ...LIGHT, path: 'w/x/f/tides.ipynb' });
    await go(page, 'tide');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+Enter');
    const output = cellOf(page, 'slope').locator('[data-output]');
    await output.getByText('ZeroDivisionError').first().waitFor({ timeout: 60_000 });
    await cellOf(page, 'slope').getByRole('button', { name: 'Help me fix' }).waitFor();
    await cellOf(page, 'table').getByRole('columnheader', { name: 'height' }).waitFor();
    await page.getByRole('button', { name: /Kernel: Python 3.*idle/ }).waitFor();
    await go(page, 'slope');
    await page.getByText('Saved', { exact: true }).waitFor();
    await take(page, 'notebook');
  });
});
