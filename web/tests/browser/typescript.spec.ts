import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachOn } from './each';
import { cellOf, code, go, notebookOf, openNotebook } from './notebooks';
import { act } from './support';

/** A kernel of TypeScript; `cargo xtask test` names one. */
const TSLAB = process.env.ASIDE_TEST_TSLAB;

const SPEC = {
  argv: ['node', TSLAB, 'kernel', '--config-path={connection_file}'],
  display_name: 'TypeScript',
  language: 'typescript',
};

const NOTEBOOK = notebookOf(
  [
    code('first', "const height: number = 41; console.log('begun'); height + 1"),
    code('fails', "throw new RangeError('too deep')"),
    code('waits', "console.log('go'); await new Promise((done) => setTimeout(done, 60_000))"),
    { ...code('ask', 'select 1'), metadata: { aside: { cell: 'sql' } } },
    code('more', 'height.toFix'),
  ],
  { kernelspec: { display_name: 'TypeScript', language: 'typescript', name: 'tslab' } },
);

describe.skipIf(!TSLAB)('a notebook with a kernel of another language', () => {
  const at = eachOn({
    'tides.ipynb': NOTEBOOK,
    '~/.local/share/jupyter/kernels/tslab/kernel.json': JSON.stringify(SPEC),
  });

  it('runs its cells, shows what failed, completes and is interrupted, and says what only Python can do', async () => {
    // It knows `console` by the types of Node that a project has.
    symlinkSync(resolve(TSLAB ?? '', '../../..'), join(at.workspace.folder, 'node_modules'));
    const page = await openNotebook(at);
    const output = (id: string) => cellOf(page, id).locator('[data-output]');
    const label = (id: string) => expect.poll(() => cellOf(page, id).getAttribute('aria-label'));
    const run = async (id: string) => {
      await go(page, id);
      await page.keyboard.press('Control+Enter');
    };
    await run('first');
    await output('first').getByText('42').waitFor({ timeout: 30_000 });
    await label('first').toBe('Cell 1, code, run 1, done');
    await page.getByRole('button', { name: /Kernel: TypeScript.*idle/ }).waitFor();

    await run('fails');
    await output('fails').getByText('RangeError: too deep').first().waitFor();
    await label('fails').toContain('failed');

    await run('ask');
    await output('ask').getByText('SQL cells need a Python kernel').first().waitFor();

    await go(page, 'more');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Tab');
    await expect.poll(() => cellOf(page, 'more').locator('.cm-content').textContent()).toBe('height.toFixed');

    await run('waits');
    await output('waits').getByText('go', { exact: true }).waitFor();
    await page.keyboard.press('i');
    await page.keyboard.press('i');
    await label('waits').toContain('failed');

    const asked = await act(at.server, 'kernel.variables', { path: 'tides.ipynb' });
    expect(JSON.stringify(asked)).toContain('only for Python kernels');
    expect(at.workspace.read('tides.ipynb')).toContain('"name": "tslab"');
    // It outlives the server else.
    expect((await act(at.server, 'kernel.shutdown', { path: 'tides.ipynb' })).state).toBe('done');
  });
});
