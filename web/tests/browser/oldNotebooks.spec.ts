import { describe, expect, it } from 'vitest';
import { eachOn } from './each';
import { code, go, notebookOf, openNotebook } from './notebooks';

const OLD = JSON.stringify({
  metadata: { name: 'x' },
  nbformat: 3,
  nbformat_minor: 0,
  worksheets: [
    {
      cells: [{ cell_type: 'code', input: ['tide = 1'], language: 'python', metadata: {}, outputs: [] }],
      metadata: {},
    },
  ],
});

describe('a notebook of an older format', () => {
  const old = eachOn({ 'tides.ipynb': OLD });

  it('is upgraded by word and returned by undo', async () => {
    const page = await openNotebook(old);
    await page.getByText('This notebook has the old format 3.').waitFor();
    expect(old.workspace.read('tides.ipynb')).toBe(OLD);
    await page.getByRole('button', { name: 'Upgrade…' }).click();
    const asked = page.getByRole('dialog');
    await asked.getByRole('cell', { name: 'nbformat 3', exact: true }).waitFor();
    await asked.getByRole('cell', { name: 'nbformat 4.5', exact: true }).waitFor();
    expect(old.workspace.read('tides.ipynb')).toBe(OLD);
    await asked.getByRole('button', { name: 'Yes, do it' }).click();
    await expect.poll(() => JSON.parse(old.workspace.read('tides.ipynb')).nbformat).toBe(4);
    await page.getByRole('button', { name: 'Upgrade…' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => old.workspace.read('tides.ipynb')).toBe(OLD);
    await page.getByRole('button', { name: 'Upgrade…' }).waitFor();
  });
});

const kernelspec = { name: 'nope', display_name: 'Nope', language: 'python' };
const LAB = JSON.stringify({ argv: ['/bin/false', '{connection_file}'], display_name: 'Lab', language: 'python' });
const FOREIGN = notebookOf([code('first', 'print(1)')], { kernelspec });

describe('a notebook whose kernel is missing', () => {
  const foreign = eachOn({ 'tides.ipynb': FOREIGN, '~/.local/share/jupyter/kernels/lab/kernel.json': LAB });

  it('keeps its name until another is selected', async () => {
    const page = await openNotebook(foreign);
    await go(page, 'first');
    await page.keyboard.press('Control+Enter');
    await page.getByText('There is no kernel named `nope`.').waitFor();
    await page.getByText('The notebook keeps the name of its kernel until you select another one.').waitFor();
    await page.getByRole('button', { name: 'Select kernel' }).click();
    await page.getByRole('dialog').waitFor();
    expect(foreign.workspace.read('tides.ipynb')).toBe(FOREIGN);
  });
});
