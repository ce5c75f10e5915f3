import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachWithModels } from './each';
import { outsideAddress } from './fakeModels';

// A server at an address of this machine that is not its loopback counts as elsewhere.
const OUTSIDE = outsideAddress();

const at = eachWithModels({
  files: { 'model.py': 'print(1)\n' },
  host: '0.0.0.0',
  settings: (fake) => ({ OPENAI_BASE_URL: `http://${OUTSIDE}:${fake.port}/v1` }),
});

const composer = () => at.page.getByRole('textbox', { name: 'Message to the assistant' });
const log = () => at.page.getByRole('log', { name: 'Conversation' });
const card = () => at.page.getByRole('region', { name: /^Allow OpenAI/ });
const provider = () => at.page.getByRole('region', { name: 'OpenAI-compatible server' });

async function openModels(): Promise<void> {
  await at.page.keyboard.press('Control+k');
  await at.page.getByRole('combobox', { name: /^Ask Aside/ }).fill('models');
  await at.page.getByRole('option', { name: /^Models Pages/, selected: true }).waitFor();
  await at.page.keyboard.press('Enter');
  await at.page.getByRole('heading', { name: 'Models', exact: true }).waitFor();
}

/** Chooses a model of the server elsewhere. */
async function chooseElsewhere(): Promise<void> {
  await openModels();
  await provider().getByRole('button', { name: 'List models' }).click();
  await provider().getByText('New threads').waitFor();
}

async function ask(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press('Enter');
}

describe.skipIf(OUTSIDE === null)('a service elsewhere', () => {
  it('gets nothing before a person said yes, and then the very words that were typed', async () => {
    await chooseElsewhere();
    await ask('why is the tide too high?');
    await card().getByText(`${OUTSIDE}:${at.fake.port}`).waitFor();
    await card().getByRole('listitem').filter({ hasText: 'Your message' }).getByText('25 characters').waitFor();
    expect(await composer().inputValue()).toBe('why is the tide too high?');
    expect(await violations(at.page)).toEqual([]);
    expect(at.fake.chats).toEqual([]);
    await card().getByRole('button', { name: 'Allow OpenAI-compatible server and send' }).click();
    await log().getByText('From elsewhere.').waitFor();
    expect(at.fake.chats.join()).toContain('why is the tide too high?');
    expect(await composer().inputValue()).toBe('');
    await ask('and on Wednesday?');
    await expect.poll(() => log().getByText('From elsewhere.').count()).toBe(2);
  });

  it('is asked about again after the yes was taken back', async () => {
    await chooseElsewhere();
    await provider().getByRole('button', { name: 'Allow now: OpenAI-compatible server' }).click();
    await provider()
      .getByText(/everything the assistant reads may be sent/)
      .waitFor();
    await provider().getByRole('button', { name: 'Revoke permission of OpenAI-compatible server' }).click();
    await provider()
      .getByText(/You are asked before/)
      .waitFor();
    await ask('hello');
    await card().waitFor();
    await card().getByRole('button', { name: 'Not now' }).click();
    expect(await composer().inputValue()).toBe('hello');
    expect(at.fake.chats).toEqual([]);
  });

  it('is off while local only is on, and says so', async () => {
    await openModels();
    const local = at.page.getByRole('switch', { name: 'Local only' });
    await local.click();
    await expect.poll(() => local.getAttribute('aria-checked')).toBe('true');
    await provider().getByText('off: local only').waitFor();
    expect(await violations(at.page)).toEqual([]);
    await local.click();
    await provider().getByText('off: local only').waitFor({ state: 'detached' });
  });
});
