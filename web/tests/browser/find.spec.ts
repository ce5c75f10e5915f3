import { expect, test } from 'vitest';
import { eachInWindow } from './each';
import { editor, openFromTree, textOf } from './support';

const TEXT = String.raw`\left( x \right) and \right
delta, Delta, deltas
`;
const at = eachInWindow({ 'paper.tex': TEXT, 'long.txt': 'word\n'.repeat(12_000) });

/** The bar, opened with the keyboard; with its second row for `Control+h`. */
async function finding(path: string, key = 'Control+f') {
  await openFromTree(at.page, path);
  await editor(at.page, path).click();
  await at.page.keyboard.press('Control+Home');
  await at.page.keyboard.press(key);
  const bar = at.page.getByRole('search');
  await expect
    .poll(() => bar.getByRole('textbox', { name: 'Find' }).evaluate((it) => it === document.activeElement))
    .toBe(true);
  return bar;
}

test('find and replace take backslashes literally', async () => {
  const bar = await finding('paper.tex', 'Control+h');
  await at.page.keyboard.type('\\right');
  await bar.getByText('1 of 2', { exact: true }).waitFor();
  await bar.getByRole('textbox', { name: 'Replace with' }).fill('\\nabla');
  await bar.getByRole('button', { name: 'Replace all' }).click();
  await expect.poll(() => textOf(at.page, 'paper.tex')).toBe(TEXT.replaceAll('\\right', '\\nabla'));
  await expect
    .poll(() => at.workspace.read('paper.tex'), { timeout: 10_000 })
    .toBe(TEXT.replaceAll('\\right', '\\nabla'));
});

test('case, whole words and expressions are toggles', async () => {
  const bar = await finding('paper.tex');
  await at.page.keyboard.type('delta');
  await bar.getByText('1 of 3', { exact: true }).waitFor();
  await bar.getByRole('button', { name: 'Match case' }).click();
  await bar.getByText(/of 2|2 matches/).waitFor();
  await bar.getByRole('button', { name: 'Match whole word' }).click();
  await bar.getByText(/^1 of 1$/).waitFor();
  await bar.getByRole('button', { name: 'Match case' }).click();
  await bar.getByText(/of 2$|2 matches/).waitFor();
  await bar.getByRole('button', { name: 'Match whole word' }).click();
  await at.page.keyboard.press('Alt+r');
  await bar.getByRole('textbox', { name: 'Find' }).fill('[dD]eltas?(');
  await bar.getByText('Invalid regular expression').waitFor();
  await bar.getByRole('textbox', { name: 'Find' }).fill('^delta|s$');
  await bar.getByText('1 of 2', { exact: true }).waitFor();
  await at.page.keyboard.press('Enter');
  await bar.getByText('2 of 2', { exact: true }).waitFor();
  await bar.getByRole('button', { name: 'Previous match' }).click();
  await bar.getByText('1 of 2', { exact: true }).waitFor();
});

test('an expression replaces groups and line ends', async () => {
  const bar = await finding('paper.tex', 'Control+h');
  await at.page.keyboard.press('Alt+r');
  await at.page.keyboard.type('(Delta), (deltas)');
  await bar.getByRole('textbox', { name: 'Replace with' }).fill('$2\\n$1');
  await at.page.keyboard.press('Enter');
  await expect.poll(() => textOf(at.page, 'paper.tex')).toContain('deltas\nDelta');
  await at.page.keyboard.press('Escape');
  expect(await bar.count()).toBe(0);
});

test('many matches are counted up to a limit', async () => {
  const bar = await finding('long.txt');
  await at.page.keyboard.type('word');
  await bar.getByText('1 of 10,000+', { exact: true }).waitFor();
});
