import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { everywhere } from './axe';
import { eachOn, eachWithModels } from './each';
import { outsideAddress } from './fakeModels';
import { ai, cellOf, cells, code, go, notebookOf, openNotebook } from './notebooks';

const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'make it two',
      steps: [
        {
          text: 'I change **one** cell.',
          calls: [{ name: 'modify_cell', args: { cellId: 'first', source: 'x = 2' } }],
        },
      ],
    },
    { when: 'run it', steps: [{ calls: [{ name: 'execute_cell', args: { cellId: 'lines' } }] }] },
    { when: 'forever', steps: [{ text: 'on and on ', delay_ms: 20, endless: true }] },
  ],
  otherwise: 'It is two now.',
};

const NOTEBOOK = notebookOf(
  [
    code('first', 'x = 1'),
    ai('ask', 'make it two'),
    ai('long', 'forever'),
    code('lines', '# a comment\ny = 2'),
    ai('runs', 'run it'),
  ],
  { max_ai_iterations: 5 },
);

const answerOf = (page: Page, id: string) => cellOf(page, id).locator('[data-output]');
const label = (page: Page, id: string) => expect.poll(() => cellOf(page, id).getAttribute('aria-label'));

async function run(page: Page, id: string): Promise<void> {
  await go(page, id);
  await page.keyboard.press('Control+Enter');
}

describe('an AI cell', () => {
  const at = eachOn({ 'tides.ipynb': NOTEBOOK, '.aside/rehearsal.json': JSON.stringify(REHEARSAL) });
  const opened = (options?: Parameters<typeof openNotebook>[1]) => openNotebook(at, options);
  /** The text of the first cell in the file. */
  const first = () => [JSON.parse(at.workspace.read('tides.ipynb')).cells[0].source].flat().join('');
  const card = (page: Page) => answerOf(page, 'ask').getByRole('region', { name: /waiting for you$/ });
  const call = (page: Page) => answerOf(page, 'ask').getByRole('region', { name: /^modify_cell/ });

  it('shows what waits for a person in its place, and goes on when that is accepted', async () => {
    const page = await opened();
    await run(page, 'ask');
    await card(page).waitFor();
    await label(page, 'ask').toBe('Cell 2, AI, waiting for you');
    await card(page).getByText('x = 2').first().waitFor();
    await answerOf(page, 'ask').locator('strong', { hasText: 'one' }).waitFor();
    expect(first()).toBe('x = 1');
    await card(page).getByRole('button', { name: 'Accept', exact: true }).click();
    await answerOf(page, 'ask').getByText('It is two now.').waitFor();
    await label(page, 'ask').toBe('Cell 2, AI, done');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-cell'))).toBe('ask');
    await expect.poll(first, { timeout: 10_000 }).toBe('x = 2');
  });

  it('folds a call to one line, which opens to what was asked and what came of it, also after a reload', async () => {
    const page = await opened();
    await run(page, 'ask');
    await card(page).getByRole('button', { name: 'Accept', exact: true }).click();
    await answerOf(page, 'ask').getByText('It is two now.').waitFor();
    await page.reload();
    const line = call(page).getByRole('button', { name: /Change cell 1/ });
    await line.waitFor();
    expect(await line.getAttribute('aria-expanded')).toBe('false');
    await line.click();
    await call(page).getByText('Modified cell first with 5 characters').waitFor();
    await call(page).getByRole('definition').filter({ hasText: 'x = 2' }).waitFor();
    await answerOf(page, 'ask')
      .getByText(/tokens in, .* out/)
      .waitFor();
    await call(page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(first, { timeout: 10_000 }).toBe('x = 1');
  });

  it('shows the code that waits to be run in its lines', async () => {
    const page = await opened();
    await run(page, 'runs');
    const shown = answerOf(page, 'runs').getByRole('cell', { name: '# a comment y = 2' });
    await shown.waitFor();
    expect(await shown.evaluate((cell) => getComputedStyle(cell).whiteSpace)).toBe('pre-wrap');
    expect(await answerOf(page, 'runs').getByRole('columnheader').allTextContents()).toEqual(['Item', 'After']);
  });

  it('tells a refusal to the model, and goes on', async () => {
    const page = await opened();
    await run(page, 'ask');
    await card(page).getByRole('button', { name: 'Reject', exact: true }).click();
    await answerOf(page, 'ask').getByText('It is two now.').waitFor();
    await call(page)
      .getByRole('button', { name: /failed/ })
      .waitFor();
    expect(first()).toBe('x = 1');
  });

  it('is stopped where no kernel runs: by the toolbar, by its own button, and by the keys', async () => {
    const page = await opened();
    const stop = page.getByRole('button', { name: 'Interrupt (I I)' });
    expect(await stop.isDisabled()).toBe(true);
    await run(page, 'long');
    await answerOf(page, 'long').getByText('on and on').waitFor();
    await stop.click();
    await answerOf(page, 'long').getByText('Stopped.').waitFor();
    await expect.poll(() => stop.isDisabled()).toBe(true);
    await label(page, 'long').toContain('stopped');
    await answerOf(page, 'long').getByRole('button', { name: 'Ask again' }).click();
    await answerOf(page, 'long').getByRole('button', { name: 'Stop', exact: true }).click();
    await answerOf(page, 'long').getByText('Stopped.').waitFor();
    await run(page, 'long');
    await label(page, 'long').toContain('running');
    for (const _ of [1, 2]) await page.keyboard.press('i');
    await answerOf(page, 'long').getByText('Stopped.').waitFor();
  });

  it('stops its own answer and leaves another one alone', async () => {
    const page = await opened();
    await run(page, 'ask');
    await card(page).waitFor();
    await run(page, 'long');
    await answerOf(page, 'long').getByText('on and on').waitFor();
    await cellOf(page, 'long').getByRole('button', { name: 'Interrupt this cell' }).click();
    await answerOf(page, 'long').getByText('Stopped.').waitFor();
    await label(page, 'ask').toBe('Cell 2, AI, waiting for you');
  });

  it('has an assistant beside it that is told whether to ask before it runs cells', async () => {
    const page = await opened();
    const runs = page.getByRole('combobox', { name: 'Cell run mode' });
    expect(await runs.inputValue()).toBe('ask');
    await runs.selectOption('Run automatically');
    await page.getByRole('textbox', { name: 'Message to the assistant' }).fill('hello');
    await page.keyboard.press('Enter');
    await page.getByRole('log', { name: 'Conversation' }).getByText('It is two now.').waitFor();
    await page.reload();
    await expect.poll(() => runs.inputValue()).toBe('auto');
  });

  it('has nothing that axe finds', async () => {
    const page = await opened();
    await go(page, 'long');
    await page.getByRole('button', { name: 'More cell actions' }).click();
    await page.getByRole('menuitem', { name: 'Hide from AI' }).click();
    await run(page, 'long');
    await cellOf(page, 'long').getByRole('button', { name: 'Interrupt this cell' }).click();
    await answerOf(page, 'long').getByText('Stopped.').waitFor();
    await run(page, 'ask');
    await card(page).waitFor();
    await everywhere(page);
    await photograph(page, 'waits');
    await card(page).getByRole('button', { name: 'Accept', exact: true }).click();
    await answerOf(page, 'ask').getByText('It is two now.').waitFor();
    await call(page)
      .getByRole('button', { name: /^Change/ })
      .click();
    await everywhere(page);
    await photograph(page, 'answered');
  });
});

/** For eyes, where somebody wants to look. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.ASIDE_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/ai-cell-${name}.png` });
}

describe('the limit of a notebook', () => {
  const limited = notebookOf([code('first', 'x = 1'), ai('ask', 'make it two')], { max_ai_iterations: 1 });
  const at = eachOn({ 'tides.ipynb': limited, '.aside/rehearsal.json': JSON.stringify(REHEARSAL) });

  it('is said where the answer was cut off, with the way on', async () => {
    const page = await openNotebook(at);
    await run(page, 'ask');
    await answerOf(page, 'ask').getByRole('button', { name: 'Accept', exact: true }).click();
    await answerOf(page, 'ask').getByText('Stopped after one model call, the limit of this notebook.').waitFor();
    await answerOf(page, 'ask').getByRole('button', { name: 'Continue in a cell below' }).click();
    await expect.poll(() => cells(page).count()).toBe(3);
    await page.getByText('It is two now.').waitFor();
  });
});

describe('an AI cell among models', () => {
  const at = eachWithModels({
    files: {
      'tides.ipynb': notebookOf([code('first', 'secret = 1'), ai('ask', 'how high?'), ai('other', 'and now?')]),
    },
    settings: (fake) => ({ OLLAMA_HOST: `127.0.0.1:${fake.port}` }),
  });
  const model = (page: Page, id: string) => cellOf(page, id).getByRole('button', { name: /^Model of this cell/ });

  it('is answered by the model that was chosen in it, before it was asked; others keep theirs', async () => {
    const page = await openNotebook(at);
    await model(page, 'ask').filter({ hasText: 'qwen3:8b' }).click();
    const picker = page.getByRole('dialog', { name: 'Choose a model' });
    await picker.getByRole('option', { name: /^gemma3:4b/ }).click();
    await model(page, 'ask').filter({ hasText: 'gemma3:4b' }).waitFor();
    await model(page, 'other').filter({ hasText: 'qwen3:8b' }).waitFor();
    await run(page, 'ask');
    await answerOf(page, 'ask').getByText('From Ollama.').waitFor();
    await answerOf(page, 'ask').getByTitle('ollama/gemma3:4b').waitFor();
    expect(JSON.parse(at.fake.chats[0] ?? '{}').model).toBe('gemma3:4b');
    await page.reload();
    await model(page, 'ask').filter({ hasText: 'gemma3:4b' }).waitFor();
  });

  it('does not see what a person hides from AI, and sees it again when that is taken back', async () => {
    const page = await openNotebook(at);
    await go(page, 'first');
    await page.getByRole('button', { name: 'More cell actions' }).click();
    await page.getByRole('menuitem', { name: 'Hide from AI' }).click();
    const mark = cellOf(page, 'first').getByRole('button', { name: 'Hidden from AI' });
    await mark.waitFor();
    await expect.poll(() => at.workspace.read('tides.ipynb'), { timeout: 10_000 }).toContain('"ai_hidden": true');
    await run(page, 'ask');
    await answerOf(page, 'ask').getByText('From Ollama.').waitFor();
    expect(at.fake.chats.at(-1)).not.toContain('secret');
    await mark.click();
    await expect.poll(() => at.workspace.read('tides.ipynb'), { timeout: 10_000 }).not.toContain('ai_hidden');
    await run(page, 'ask');
    await expect.poll(() => at.fake.chats.at(-1)).toContain('secret');
  });
});

// A server at an address of this machine that is not its loopback counts as elsewhere.
const OUTSIDE = outsideAddress();

describe.skipIf(OUTSIDE === null)('an AI cell whose model is elsewhere', () => {
  const at = eachWithModels({
    files: { 'tides.ipynb': notebookOf([code('first', 'x = 1'), ai('ask', 'how high?')]) },
    host: '0.0.0.0',
    settings: (fake) => ({ OPENAI_BASE_URL: `http://${OUTSIDE}:${fake.port}/v1` }),
  });

  it('sends nothing until a person allows that, in the cell', async () => {
    const page = await openNotebook(at);
    await cellOf(page, 'ask')
      .getByRole('button', { name: /^Model of this cell/ })
      .click();
    const picker = page.getByRole('dialog', { name: 'Choose a model' });
    await picker.getByRole('option', { name: /OpenAI-compatible/ }).click();
    await picker.getByRole('option', { name: /house\/model-0/ }).click();
    await run(page, 'ask');
    const allow = answerOf(page, 'ask').getByRole('region', { name: /^Allow OpenAI/ });
    await allow.getByText('Nothing has been sent yet').waitFor();
    expect(at.fake.chats).toEqual([]);
    await allow.getByRole('button', { name: /^Allow OpenAI.* and ask/ }).click();
    await answerOf(page, 'ask').getByText('From elsewhere.').waitFor();
    await answerOf(page, 'ask')
      .getByText(/41k of 44k tokens from cache/)
      .waitFor();
  });
});
