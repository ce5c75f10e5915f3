import { expect, it } from 'vitest';
import { violations } from './axe';
import { eachWithModels } from './each';

const at = eachWithModels({
  files: { 'model.py': 'print(1)\n' },
  settings: (fake) => ({ OLLAMA_HOST: `127.0.0.1:${fake.port}` }),
  prepare: (fake) => {
    fake.installed = [];
  },
});

const way = () => at.page.getByRole('region', { name: 'Model on this computer' });
const progress = () => way().getByRole('progressbar');

/** Asks for the model that is suggested, or for one by its name, and says yes. */
async function pull(named?: string): Promise<void> {
  await way().getByText('Ollama is running but has no models.').waitFor();
  if (named)
    await way()
      .getByRole('textbox', { name: /^Other model/ })
      .fill(named);
  await way()
    .getByRole('button', { name: `Download ${named ?? 'qwen3:4b'}` })
    .click();
  await way().getByRole('button', { name: 'Accept', exact: true }).click();
  await progress().waitFor();
}

it('who has no model gets one, sees how far it is, and uses it', async () => {
  await pull();
  await way()
    .getByText(/625 MB of 2\.5 GB/)
    .waitFor();
  expect(await violations(at.page)).toEqual([]);
  at.fake.finishPull();
  // The only model there is answers from now on.
  await expect.poll(() => at.page.getByRole('button', { name: 'Model: qwen3:4b' }).count()).toBeGreaterThan(0);
});

it('a model that is not suggested is got by its name', async () => {
  await pull('llama3.2:3b');
  at.fake.finishPull();
  await expect.poll(() => at.page.getByRole('button', { name: 'Model: llama3.2:3b' }).count()).toBeGreaterThan(0);
});

it('a pull goes on while the window is loaded again; one that is cancelled is stopped at Ollama too', async () => {
  await pull();
  await at.page.reload();
  await progress().waitFor();
  await way()
    .getByText(/625 MB of 2\.5 GB/)
    .waitFor();
  expect(at.fake.pulls).toEqual({ begun: 1, closed: 0 });
  await way().getByRole('button', { name: 'Cancel' }).click();
  await way()
    .getByText(/^Stopped/)
    .waitFor();
  await expect.poll(() => at.fake.pulls.closed).toBe(1);
});
