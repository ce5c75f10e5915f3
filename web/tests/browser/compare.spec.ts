// Comparing files and versions: what differs, side by side or in one text, by mouse and by keys.
import { expect, test } from 'vitest';
import { everywhere } from './axe';
import { eachInWindow } from './each';
import { act, editor, openFromTree, resize } from './support';

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
const NOTEBOOK = (source: string) =>
  JSON.stringify({
    cells: [{ cell_type: 'code', execution_count: 3, id: 'one', metadata: {}, outputs: [], source: [source] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  });
const at = eachInWindow({
  'one.py': `${LINES.join('\n')}\n`,
  'lib/two.py': `${LINES.map((line) => (line === 'line 20' ? 'line twenty' : line)).join('\n')}\nend\n`,
  'same.py': `${LINES.join('\r\n')}\r\n`,
  'a.ipynb': NOTEBOOK('x = 1'),
  'b.ipynb': NOTEBOOK('x = 2'),
  'raw.bin': Uint8Array.of(0, 1, 2),
});

const row = (name: string) => at.page.getByRole('treeitem', { name, exact: true });
const bar = () => at.page.getByRole('toolbar', { name: 'Comparison' });
const text = (word: string, path: string) => at.page.getByRole('textbox', { name: `${word}: ${path}` });
const inMenuOf = async (name: string, entry: string) => {
  await row(name).click({ button: 'right' });
  await at.page.getByRole('menuitem', { name: entry }).click();
};

/** Chooses a file to compare the focused one with, by keys alone. */
async function compareWith(name: string): Promise<void> {
  await at.page.keyboard.press('Control+k');
  await at.page.getByRole('combobox', { name: /^Ask Aside/ }).fill('compare with');
  await at.page.getByRole('option', { name: /^Compare with…/, selected: true }).waitFor();
  await at.page.keyboard.press('Enter');
  await at.page.getByRole('combobox', { name: 'Compare with a file' }).fill(name);
  await at.page.getByRole('option', { name: new RegExp(`${name}$`), selected: true }).waitFor();
  await at.page.keyboard.press('Enter');
}

test('two files chosen in the explorer are compared', async () => {
  await inMenuOf('one.py', 'Select for compare');
  await row('lib').click();
  await inMenuOf('two.py', 'Compare with selected');
  await at.page.getByRole('tab', { name: 'one.py ↔ two.py' }).waitFor();
  await bar().getByText('2 changes').waitFor();
  await text('Before', 'one.py').getByText('line 20', { exact: true }).waitFor();
  await text('After', 'lib/two.py').getByText('line twenty').waitFor();
  // Lines without a change are folded.
  expect(await text('After', 'lib/two.py').getByText('line 10', { exact: true }).count()).toBe(0);
  await everywhere(at.page);

  await bar().getByRole('button', { name: 'Next change' }).click();
  await text('After', 'lib/two.py').focus();
  await at.page.keyboard.type('typed');
  expect(await text('After', 'lib/two.py').getByText('typed').count()).toBe(0);
  await bar().getByRole('button', { name: 'Unified' }).click();
  await text('After', 'lib/two.py').getByText('line 20', { exact: true }).waitFor();
  expect(await text('Before', 'one.py').count()).toBe(0);
  await everywhere(at.page);
  await at.page.reload();
  await bar().getByRole('button', { name: 'Unified', pressed: true }).waitFor();
  await bar().getByRole('button', { name: 'Side by side' }).click();
  await bar().getByRole('button', { name: 'Swap sides' }).click();
  await text('Before', 'lib/two.py').getByText('line twenty').waitFor();
  // A change of a file is seen.
  at.workspace.write('one.py', `${LINES.join('\n')}\nmore\nend\n`);
  await text('After', 'one.py').getByText('more', { exact: true }).waitFor();
  await resize(at.page, 500, 800);
  await text('Before', 'lib/two.py').waitFor({ state: 'detached' });
});

test('a file is compared by keys', async () => {
  await openFromTree(at.page, 'one.py');
  await compareWith('same.py');
  await at.page.getByText('The files have the same text.').waitFor();
  await bar().getByText('LF → CRLF · 0 changes').waitFor();
  await openFromTree(at.page, 'one.py');
  await compareWith('raw.bin');
  await at.page.getByText('raw.bin is not text').waitFor();
  await at.page.keyboard.press('Alt+w');
  await row('a.ipynb').click();
  await at.page.getByRole('feed').waitFor();
  await compareWith('b.ipynb');
  await text('After', 'b.ipynb').getByText('x = 2').waitFor();
  await bar().getByText('sources of cells, without outputs · 1 change').waitFor();
});

test('versions of a file are compared', async () => {
  await openFromTree(at.page, 'one.py');
  for (const [old, now] of [
    ['line 3\n', 'third\n'],
    ['line 40', 'fortieth'],
  ] as const)
    await act(at.server, 'doc.edit', { path: 'one.py', edits: [{ old, new: now }] });
  await expect.poll(() => at.workspace.read('one.py')).toContain('fortieth');
  await at.page.keyboard.press('Control+k');
  await at.page.getByRole('combobox', { name: /^Ask Aside/ }).fill('version history');
  await at.page.getByRole('option', { name: /^Version history/, selected: true }).waitFor();
  await at.page.keyboard.press('Enter');
  const dialog = at.page.getByRole('dialog', { name: 'Version history of one.py' });
  await dialog.getByRole('radio').last().check();
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await at.page.getByRole('tab', { name: 'one.py: versions' }).waitFor();
  await bar().getByText('2 changes').waitFor();
  await text('Before', 'one.py').getByText('line 3', { exact: true }).waitFor();
  const after = bar().getByLabel('After: version of one.py');
  await after.focus();
  await expect.poll(() => after.getByRole('option').count()).toBe(3);
  await after.selectOption({ index: 1 });
  await bar().getByText('1 change', { exact: true }).waitFor();
  await everywhere(at.page);
  await bar().getByRole('button', { name: 'one.py' }).first().click();
  await editor(at.page, 'one.py').waitFor();
});
