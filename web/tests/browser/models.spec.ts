import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violations } from './axe';
import { type FakeModels, fakeModels, LISTED } from './fakeModels';
import { launch, openWindow, type Server, serve, Workspace } from './support';

let browser: Browser;
let fake: FakeModels;
let workspace: Workspace;
let server: Server;
let page: Page;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  fake = await fakeModels();
  workspace = new Workspace({ 'model.py': 'print(1)\n' });
  workspace.set('OLLAMA_HOST', `127.0.0.1:${fake.port}`);
  workspace.set('OPENAI_BASE_URL', `http://127.0.0.1:${fake.port}/v1`);
  server = await serve(workspace);
  page = await openWindow(browser, server);
});
afterEach(async () => {
  await page.context().close();
  await server.kill();
  await fake.close();
  workspace.remove();
});

const composer = () => page.getByRole('textbox', { name: 'Message to the assistant' });
const log = () => page.getByRole('log', { name: 'Conversation' });
const picker = () => page.getByRole('dialog', { name: 'Choose a model' });
const field = () => picker().getByRole('combobox');
const selected = (name: RegExp) => picker().getByRole('option', { selected: true, name }).waitFor();
const inComposer = () => page.getByRole('button', { name: /^Model: / }).last();

/** Returns when the window has taken its new size in. */
const settled = () =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function openPicker(): Promise<void> {
  await composer().focus();
  await page.keyboard.press('Alt+m');
  await field().waitFor();
}

async function ask(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press('Enter');
}

describe('the list of models', () => {
  it('is opened, searched and chosen from with the keyboard alone, and gives the focus back', async () => {
    await openPicker();
    await selected(/^qwen3:8b ?, Ollama, in use.*new threads.*Takes tools.*41k.*local.*On this machine/);
    await page.keyboard.press('ArrowDown');
    await selected(/^gemma3:4b/);
    await page.keyboard.type('vision');
    await expect.poll(() => picker().getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await picker().waitFor({ state: 'detached' });
    await expect.poll(() => inComposer().textContent()).toBe('gemma3:4b');
    expect(await composer().evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByText('This model takes no tools').waitFor();
  });

  it('shows hundreds of models as few rows, and reaches the last', async () => {
    await openPicker();
    await expect.poll(() => picker().getByRole('option').count()).toBeGreaterThan(10);
    expect(await picker().getByRole('option').count()).toBeLessThan(60);
    await page.keyboard.type(`model-${LISTED - 1}`);
    await selected(new RegExp(`house/model-${LISTED - 1}`));
    await page.keyboard.press('Escape');
    await picker().waitFor({ state: 'detached' });
    expect(await composer().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('has nothing that axe finds, in both themes and three widths', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1440, 900, 600]) {
        await page.setViewportSize({ width, height: 800 });
        await settled();
        await page.keyboard.press('Alt+m');
        await field().waitFor();
        expect(await violations(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await picker().waitFor({ state: 'detached' });
      }
    }
  });
});

describe('a thread', () => {
  it('keeps its model when another is chosen for new threads', async () => {
    await ask('hello');
    await log().getByText('From Ollama.').waitFor();
    await openPicker();
    await page.keyboard.type('gemma');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'New thread', exact: true }).click();
    await expect.poll(() => inComposer().textContent()).toBe('gemma3:4b');
    await page.getByRole('button', { name: /^Threads: / }).click();
    await page.getByRole('dialog', { name: 'Threads' }).getByText('hello', { exact: true }).click();
    await expect.poll(() => inComposer().textContent()).toBe('qwen3:8b');
  });

  it('says what a message will probably take before it is sent, and nothing moves', async () => {
    const before = await composer().boundingBox();
    await composer().fill('how high is the tide?');
    await page.getByText(/^About [\d.]+k tokens, .*on this machine$/).waitFor();
    expect(await composer().boundingBox()).toEqual(before);
    await composer().fill('');
    await page.getByText(/^About /).waitFor({ state: 'detached' });
  });

  it('says under the answer how much came from the cache', async () => {
    await openPicker();
    await page.keyboard.type('model-7');
    await page.keyboard.press('Enter');
    await ask('hello');
    await log().getByText('41k of 44k tokens from cache, 12 out').click();
    await log().getByText('41,000').waitFor();
  });
});
