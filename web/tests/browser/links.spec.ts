// Links and formulas of Markdown, in cells and outputs.
import { expect, test } from 'vitest';
import { eachOn } from './each';
import { cellOf, code, notebookOf, openNotebook, text } from './notebooks';
import { editor } from './support';

const shown = (data: object) => ({ output_type: 'display_data', metadata: {}, data });
const LINKS =
  '[anchor](#Part-one) [file](readme.md) [dot](./readme.md#Second) [nb](sub/other%20nb.ipynb#Part-two) ' +
  '[up](../secret.md) <a href="readme.md">html</a> <a id="here"></a> [toid](#here) [web](https://example.org/x)';
const OUT = '<a href="readme.md">out</a> <a href="https://example.org">webout</a> <a href="javascript:x">bad</a>';
const MATHS = String.raw`\begin{align}
a &= b \\
c &= d
\end{align}

so $$a^2$$ inline, see \eqref{eq:one}.

| f | g |
|---|---|
| $P(A|B)$ | $|x|$ |
`;
const at = eachOn({
  'tides.ipynb': notebookOf([
    text('links', LINKS),
    text('maths', MATHS),
    ...Array.from({ length: 30 }, (_, index) => code(`c${index}`, `x = ${index}\ny = 1\nz = 2`)),
    text('part', '# Part one\n\nwords'),
    text('eq', String.raw`\begin{equation}\label{eq:one} E = mc^2 \end{equation}`),
    code('out', '1', [
      shown({ 'text/html': [OUT], 'text/plain': ['x'] }),
      shown({ 'text/markdown': ['| a |\n|---|\n| $P(A|B)$ |\n\n[md](readme.md)'], 'text/plain': ['x'] }),
    ]),
  ]),
  'readme.md': `# First\n${'\nline\n'.repeat(100)}\n## Second\n\nend\n`,
  'sub/other nb.ipynb': notebookOf([code('o', '1'), text('two', '## Part two')]),
});

test('links in a cell lead to their places', async () => {
  const page = await openNotebook(at);
  const links = cellOf(page, 'links');
  await links.getByRole('button', { name: 'anchor' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-cell'))).toBe('part');
  await links.getByRole('button', { name: 'toid' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-cell'))).toBe('links');
  expect(await links.getByRole('button', { name: 'up', exact: true }).count()).toBe(0);
  expect(await links.getByRole('link', { name: 'web' }).getAttribute('target')).toBe('_blank');
  await links.getByRole('button', { name: 'dot' }).click();
  await editor(page, 'readme.md').getByText('## Second').waitFor();
  await page.getByRole('tab', { name: 'tides.ipynb' }).click();
  await links.getByRole('button', { name: 'html' }).click();
  await editor(page, 'readme.md').waitFor();
  await page.getByRole('tab', { name: 'tides.ipynb' }).click();
  await links.getByRole('button', { name: 'nb' }).click();
  await page.getByRole('heading', { name: 'Part two' }).waitFor();
});

test('links in outputs lead to files', async () => {
  const page = await openNotebook(at);
  const out = cellOf(page, 'out');
  await out.scrollIntoViewIfNeeded();
  await out.getByRole('link', { name: 'out', exact: true }).click();
  await editor(page, 'readme.md').waitFor();
  await page.getByRole('tab', { name: 'tides.ipynb' }).click();
  await out.scrollIntoViewIfNeeded();
  await out.getByRole('button', { name: 'md' }).click();
  await editor(page, 'readme.md').waitFor();
});

test('formulas need no dollars, and stand in tables', async () => {
  const page = await openNotebook(at);
  const maths = cellOf(page, 'maths');
  await expect.poll(() => maths.locator('math').count()).toBe(4);
  expect(await maths.locator('math[display=block]').count()).toBe(2);
  expect(await maths.getByRole('cell').count()).toBe(2);
  await maths.getByRole('button', { name: '(1)' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-cell'))).toBe('eq');
  await cellOf(page, 'out').scrollIntoViewIfNeeded();
  await expect.poll(() => cellOf(page, 'out').locator('td math').count()).toBe(1);
  const eq = cellOf(page, 'eq');
  await eq.scrollIntoViewIfNeeded();
  await expect.poll(() => eq.locator('math mtext').allTextContents()).toEqual(['(1)']);
  const ends = (part: string) => eq.locator(part).evaluate((it) => it.getBoundingClientRect().right);
  expect((await ends('math')) - (await ends('math mtext'))).toBeLessThan(12);
  expect(await eq.locator('math mtext').evaluate((it) => it.getBoundingClientRect().width)).toBeGreaterThan(12);
});
