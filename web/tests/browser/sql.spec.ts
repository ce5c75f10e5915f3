import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachOn } from './each';
import { cellOf, code, go, notebookOf, openNotebook } from './notebooks';

/** A Python with ipykernel; `cargo xtask test` names one. */
const PYTHON = process.env.ASIDE_TEST_PYTHON;

/** Kernels are looked for in the environment that is active. */
const active = (): Record<string, string> => (PYTHON ? { VIRTUAL_ENV: dirname(dirname(PYTHON)) } : {});

const MAKE = `import sqlite3
base = sqlite3.connect('tides.db')
base.execute('create table heights(hour integer, metres real)')
base.executemany('insert into heights values (?, ?)', [(hour, hour / 10) for hour in range(120)])
base.commit()`;

const notebook = notebookOf([
  code('make', MAKE),
  { ...code('ask', 'select * from heights order by hour'), metadata: { aside: { cell: 'sql' } } },
  code('count', 'print(len(tides))'),
]);

describe.skipIf(!PYTHON)('a cell of SQL', () => {
  const at = eachOn({ 'tides.ipynb': notebook }, active);

  it('asks the database of its field, shows the rows in pages, and leaves them in a variable', async () => {
    const page = await openNotebook(at);
    const ask = cellOf(page, 'ask');
    await ask.getByLabel('Database').fill('tides.db');
    await ask.getByLabel('Database').press('Enter');
    await ask.getByLabel('into').fill('tides');
    await ask.getByLabel('into').press('Tab');
    await expect
      .poll(() => at.workspace.read('tides.ipynb'), { timeout: 10_000 })
      .toContain('"connection": "tides.db"');
    await expect.poll(() => at.workspace.read('tides.ipynb'), { timeout: 10_000 }).toContain('"result": "tides"');

    await go(page, 'make');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+Enter');
    const table = ask.getByRole('region', { name: 'Table' });
    await table.getByRole('columnheader', { name: 'metres' }).waitFor({ timeout: 30_000 });
    expect(await table.getByRole('row').count()).toBe(51);
    await expect.poll(() => ask.getByRole('status').textContent()).toContain('tides');
    expect(await ask.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
    await ask.getByRole('button', { name: 'Next' }).click();
    await table.getByRole('cell', { name: '5.5', exact: true }).waitFor();
    await ask.getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => table.getByRole('row').count()).toBe(21);
    expect(await ask.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await cellOf(page, 'count').locator('[data-output]').getByText('120').waitFor();
  });
});
