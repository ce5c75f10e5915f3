import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { violations } from './axe';
import { type FakeModels, fakeModels } from './fakeModels';
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
  fake.installed = [];
  workspace = new Workspace({ 'model.py': 'print(1)\n' });
  workspace.set('OLLAMA_HOST', `127.0.0.1:${fake.port}`);
  server = await serve(workspace);
  page = await openWindow(browser, server);
});
afterEach(async () => {
  await page.context().close();
  await server.kill();
  await fake.close();
  workspace.remove();
});

const way = () => page.getByRole('region', { name: 'A model on this machine' });
const progress = () => way().getByRole('progressbar');

/** Asks for the model that is suggested, and says yes. */
async function pull(): Promise<void> {
  await way().getByText('Ollama is running and has no model yet.').waitFor();
  await way().getByRole('button', { name: 'Pull qwen3:4b' }).click();
  await way().getByRole('button', { name: 'Accept', exact: true }).click();
  await progress().waitFor();
}

it('who has no model gets one, sees how far it is, and uses it', async () => {
  await pull();
  await way()
    .getByText(/625 MB of 2\.5 GB/)
    .waitFor();
  expect(await violations(page)).toEqual([]);
  fake.finishPull();
  // The only model there is answers from now on.
  await expect.poll(() => page.getByRole('button', { name: 'Model: qwen3:4b' }).count()).toBeGreaterThan(0);
});

it('a pull that is cancelled is stopped at Ollama too', async () => {
  await pull();
  await way().getByRole('button', { name: 'Cancel' }).click();
  await way()
    .getByText(/^Stopped/)
    .waitFor();
  await expect.poll(() => fake.pulls.closed).toBe(1);
});
