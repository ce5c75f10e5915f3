import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violations } from './axe';
import { type FakeModels, fakeModels, outsideAddress } from './fakeModels';
import { launch, openWindow, type Server, serve, Workspace } from './support';

// A server at an address of this machine that is not its loopback counts as elsewhere.
const OUTSIDE = outsideAddress();

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
  fake = await fakeModels('0.0.0.0');
  workspace = new Workspace({ 'model.py': 'print(1)\n' });
  workspace.set('OPENAI_BASE_URL', `http://${OUTSIDE}:${fake.port}/v1`);
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
const card = () => page.getByRole('region', { name: /^Allow OpenAI/ });
const provider = () => page.getByRole('region', { name: 'OpenAI-compatible server' });

async function openModels(): Promise<void> {
  await page
    .getByRole('contentinfo')
    .getByRole('button', { name: /model|openai/i })
    .last()
    .click();
  await page.getByRole('heading', { name: 'Models', exact: true }).waitFor();
}

/** Chooses a model of the server elsewhere. */
async function chooseElsewhere(): Promise<void> {
  await openModels();
  await provider().getByRole('button', { name: 'List its models' }).click();
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
    await card().getByText(`${OUTSIDE}:${fake.port}`).waitFor();
    await card().getByRole('listitem').filter({ hasText: 'Your message' }).getByText('25 characters').waitFor();
    expect(await composer().inputValue()).toBe('why is the tide too high?');
    expect(await violations(page)).toEqual([]);
    expect(fake.chats).toEqual([]);
    await card().getByRole('button', { name: 'Allow OpenAI-compatible server and send' }).click();
    await log().getByText('From elsewhere.').waitFor();
    expect(fake.chats.join()).toContain('why is the tide too high?');
    expect(await composer().inputValue()).toBe('');
    await ask('and on Wednesday?');
    await expect.poll(() => log().getByText('From elsewhere.').count()).toBe(2);
  });

  it('is asked about again after the yes was taken back', async () => {
    await chooseElsewhere();
    await provider().getByRole('button', { name: 'Allow now: OpenAI-compatible server' }).click();
    await provider()
      .getByText(/You let what you write/)
      .waitFor();
    await provider().getByRole('button', { name: 'Take back what OpenAI-compatible server may get' }).click();
    await provider()
      .getByText(/You are asked before/)
      .waitFor();
    await ask('hello');
    await card().waitFor();
    await card().getByRole('button', { name: 'Not now' }).click();
    expect(await composer().inputValue()).toBe('hello');
    expect(fake.chats).toEqual([]);
  });

  it('is off while local only is on, and says so', async () => {
    await openModels();
    const local = page.getByRole('switch', { name: 'Local only' });
    await local.click();
    await expect.poll(() => local.getAttribute('aria-checked')).toBe('true');
    await provider().getByText('off: local only').waitFor();
    expect(await violations(page)).toEqual([]);
    await local.click();
    await provider().getByText('off: local only').waitFor({ state: 'detached' });
  });
});
