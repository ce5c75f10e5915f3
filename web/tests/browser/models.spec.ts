import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachWithModels } from './each';
import { LISTED } from './fakeModels';

const at = eachWithModels({
  files: { 'model.py': 'print(1)\n' },
  settings: (fake) => ({
    OLLAMA_HOST: `127.0.0.1:${fake.port}`,
    OPENAI_BASE_URL: `http://127.0.0.1:${fake.port}/v1`,
  }),
});

const composer = () => at.page.getByRole('textbox', { name: 'Message to the assistant' });
const log = () => at.page.getByRole('log', { name: 'Conversation' });
const picker = () => at.page.getByRole('dialog', { name: 'Choose a model' });
const field = () => picker().getByRole('combobox', { name: /^Search models/ });
const rows = () => picker().getByRole('listbox', { name: 'Models' }).getByRole('option');
const selected = (name: RegExp) => picker().getByRole('option', { selected: true, name }).waitFor();
const inComposer = () => at.page.getByRole('button', { name: /^Model: / }).last();

/** Returns when the window has taken its new size in. */
const settled = () =>
  at.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function openPicker(): Promise<void> {
  await composer().focus();
  await at.page.keyboard.press('Alt+m');
  await field().waitFor();
}

async function ask(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press('Enter');
}

describe('the list of models', () => {
  it('is opened, searched and chosen from with the keyboard alone, and gives the focus back', async () => {
    await openPicker();
    await selected(/^qwen3:8b ?, Ollama, in use.*new threads.*Supports tools.*41k.*local.*On this computer/);
    await at.page.keyboard.press('ArrowDown');
    await selected(/^gemma3:4b/);
    await at.page.keyboard.type('vision');
    await expect.poll(() => rows().count()).toBe(1);
    await at.page.keyboard.press('Enter');
    await picker().waitFor({ state: 'detached' });
    await expect.poll(() => inComposer().textContent()).toBe('gemma3:4b');
    expect(await composer().evaluate((element) => element === document.activeElement)).toBe(true);
    await at.page.getByText('This model does not support tools').waitFor();
  });

  it('shows hundreds of models as few rows, and reaches the last', async () => {
    await openPicker();
    await expect.poll(() => rows().count()).toBeGreaterThan(10);
    expect(await rows().count()).toBeLessThan(60);
    await at.page.keyboard.type(`model-${LISTED - 1}`);
    await selected(new RegExp(`house/model-${LISTED - 1}`));
    await at.page.keyboard.press('Escape');
    await picker().waitFor({ state: 'detached' });
    expect(await composer().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('has nothing that axe finds, in both themes and three widths', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      for (const width of [1440, 900, 600]) {
        await at.page.setViewportSize({ width, height: 800 });
        await settled();
        await at.page.keyboard.press('Alt+m');
        await field().waitFor();
        expect(await violations(at.page)).toEqual([]);
        await at.page.keyboard.press('Escape');
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
    await at.page.keyboard.type('gemma');
    await at.page.keyboard.press('Control+Enter');
    await at.page.getByRole('button', { name: 'New thread', exact: true }).click();
    await expect.poll(() => inComposer().textContent()).toBe('gemma3:4b');
    await at.page.getByRole('button', { name: /^Threads: / }).click();
    await at.page.getByRole('dialog', { name: 'Threads' }).getByText('hello', { exact: true }).click();
    await expect.poll(() => inComposer().textContent()).toBe('qwen3:8b');
  });

  it('keeps how much its model thinks, and tells the model', async () => {
    await openPicker();
    const thinking = picker().getByRole('combobox', { name: 'Thinking of qwen3:8b' });
    expect(await thinking.inputValue()).toBe('usual');
    await thinking.selectOption('off');
    expect(await violations(at.page)).toEqual([]);
    await at.page.keyboard.press('Escape');
    await ask('go');
    await log().getByText('From Ollama.').waitFor();
    expect(JSON.parse(at.fake.chats[0] ?? '{}').think).toBe(false);
    await at.page.reload();
    await openPicker();
    expect(await thinking.inputValue()).toBe('off');
    await thinking.selectOption('usual');
    await at.page.keyboard.press('Escape');
    await ask('again');
    await expect.poll(() => at.fake.chats.length).toBe(2);
    expect(JSON.parse(at.fake.chats[1] ?? '{}').think).toBeUndefined();
  });

  it('says what a message will probably take before it is sent, and nothing moves', async () => {
    const before = await composer().boundingBox();
    await composer().fill('how high is the tide?');
    await at.page.getByText(/^About [\d.]+k tokens, .*on this computer$/).waitFor();
    expect(await composer().boundingBox()).toEqual(before);
    await composer().fill('');
    await at.page.getByText(/^About /).waitFor({ state: 'detached' });
  });

  it('says under the answer how much came from the cache', async () => {
    await openPicker();
    await at.page.keyboard.type('model-7');
    await at.page.keyboard.press('Enter');
    await ask('hello');
    await log().getByText('41k of 44k tokens from cache, 12 out').click();
    await log().getByText('41,000').waitFor();
  });
});
