// What a model can't take: tools, and more than it reads. The answer comes all the same, and the window says so.
import { describe, expect, it } from 'vitest';
import { eachWithModels } from './each';

const at = eachWithModels({
  files: { 'model.py': 'print(1)\n' },
  prepare: (fake) => {
    fake.installed = ['small:1b'];
    fake.refusesTools = true;
  },
  settings: (fake) => ({
    OLLAMA_HOST: `127.0.0.1:${fake.port}`,
    OPENAI_BASE_URL: `http://127.0.0.1:${fake.port}/v1`,
  }),
});

const composer = () => at.page.getByRole('textbox', { name: 'Message to the assistant' });
const log = () => at.page.getByRole('log', { name: 'Conversation' });
const picker = () => at.page.getByRole('dialog', { name: 'Choose a model' });

async function choose(words: string): Promise<void> {
  await composer().focus();
  await at.page.keyboard.press('Alt+m');
  await picker().getByRole('option').first().waitFor();
  await at.page.keyboard.type(words);
  await at.page.keyboard.press('Enter');
  await picker().waitFor({ state: 'detached' });
}

async function ask(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press('Enter');
}

describe('a server that refuses tools', () => {
  it('is asked in text, and the window says so from then on', async () => {
    await choose('model-7');
    const warning = at.page.getByText('This model does not support tools');
    expect(await warning.count()).toBe(0);
    await ask('hello');
    await log().getByText('From elsewhere.').waitFor();
    expect(at.fake.chats.map((body) => JSON.parse(body).tools?.length > 0)).toEqual([true, false]);
    await warning.waitFor();
    await log().getByText("doesn't support tools here").waitFor();
  });
});

describe('a conversation longer than a model reads', () => {
  it('goes on, and says what was left out', async () => {
    await choose('small');
    const words = 'Every line of this message is like the others, and none of them is needed. '.repeat(120);
    for (const turn of [1, 2, 3, 4, 5, 6]) {
      await ask(`${turn}: ${words}`);
      await expect.poll(() => log().getByText('From Ollama.').count()).toBe(turn);
    }
    await log()
      .getByText(/left out/)
      .first()
      .waitFor();
    const last = JSON.parse(at.fake.chats.at(-1) ?? '{}');
    expect(JSON.stringify(last.messages).length / 3).toBeLessThan(12_288);
    expect(JSON.stringify(last.messages)).toContain('6: Every line');
  });
});
