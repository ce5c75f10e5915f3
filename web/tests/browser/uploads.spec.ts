import { createHash, randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachOn } from './each';
import { cellOf, code, go, notebookOf, openNotebook } from './notebooks';

/** A Python with ipykernel and ipywidgets; `cargo xtask test` names one. */
const PYTHON = process.env.ASIDE_TEST_PYTHON;

const MAKE = `import ipywidgets
upload = ipywidgets.FileUpload(multiple=True)
upload.observe(lambda change: print('came:', [file.name for file in upload.value]), 'value')
upload`;
const READ = `import hashlib
for file in upload.value:
    print(file.name, file.type, file.size, hashlib.sha256(file.content).hexdigest(), file.last_modified.year)`;

const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(!PYTHON)('a control that takes files', () => {
  const at = eachOn({ 'tides.ipynb': notebookOf([code('make', MAKE), code('read', READ)]) }, () => ({
    VIRTUAL_ENV: dirname(dirname(PYTHON ?? '')),
  }));

  async function made() {
    const page = await openNotebook(at);
    await go(page, 'make');
    await page.keyboard.press('Control+Enter');
    const control = cellOf(page, 'make').locator('[data-output]');
    await control.getByRole('button', { name: 'Upload' }).waitFor({ timeout: 30_000 });
    return { page, control, input: control.locator('input[type="file"]') };
  }

  it('gives them to the code with every byte, shows them in every window, and takes others after', async () => {
    const { page, control, input } = await made();
    const [large, empty] = [randomBytes(3_000_000), Buffer.alloc(0)];
    await input.setInputFiles([file('large.bin', large), file('empty.bin', empty)]);
    await control.getByText('large.bin (3.0 MB), empty.bin (0 bytes)').waitFor();
    await control.getByText("came: ['large.bin', 'empty.bin']").waitFor();
    expect(await violations(page)).toEqual([]);
    await go(page, 'read');
    await page.keyboard.press('Control+Enter');
    const read = cellOf(page, 'read').locator('[data-output]');
    await read.getByText(`large.bin application/octet-stream 3000000 ${hash(large)} 20`).waitFor();
    await read.getByText(`empty.bin application/octet-stream 0 ${hash(empty)} 20`).waitFor();
    const other = await openNotebook(at);
    await cellOf(other, 'make').getByText('large.bin (3.0 MB), empty.bin (0 bytes)').waitFor();
    await input.setInputFiles([file('small.bin', Buffer.from([0, 255, 10, 13]))]);
    await control.getByText('small.bin (4 bytes)').waitFor();
    await cellOf(other, 'make').getByText('small.bin (4 bytes)').waitFor();
  });

  it('takes as much as fits into one message; of more it is said what to do, and the code is told nothing', async () => {
    const { control, input } = await made();
    await input.setInputFiles([file('huge.bin', Buffer.alloc(33_000_000))]);
    await control.getByRole('alert').getByText('“huge.bin” has 33.0 MB; the limit is 32.0 MB.').waitFor();
    expect(await control.getByText('came:').count()).toBe(0);
    const most = randomBytes(32_000_000);
    await input.setInputFiles([file('most.bin', most)]);
    await control.getByText('most.bin (32.0 MB)').waitFor({ timeout: 30_000 });
    expect(await control.getByRole('alert').count()).toBe(0);
  });
});
