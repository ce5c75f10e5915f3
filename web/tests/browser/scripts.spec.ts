import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { everywhere } from './axe';
import { eachInWindow } from './each';
import { editor, openFromTree } from './support';

const EXAMPLES = '../crates/aside-cli/demo/scripts';
const TIDY = `const { folder = "tmp" } = args;
for (const { path } of (await aside.file.list({ folder })).data.entries) {
  if (path.endsWith(".tmp")) await aside.file.delete({ path });
}
console.log("tidied", folder);
return { folder };
`;
const at = eachInWindow({
  'scripts/tidy.ts': TIDY,
  'scripts/archive-tabs.ts': readFileSync(`${EXAMPLES}/archive-tabs.ts`, 'utf8'),
  'tmp/a.tmp': 'a\n',
  'tmp/b.tmp': 'b\n',
  'tmp/c.tmp': 'c\n',
  'tmp/keep.txt': 'k\n',
  'note.md': '# Note\n',
});

const script = () => at.page.getByRole('region', { name: 'Script', exact: true });
const button = (name: string | RegExp) => at.page.getByRole('button', { name, exact: typeof name === 'string' });
const press = (name: string) => script().getByRole('button', { name, exact: true }).click();

it('mistakes are shown, right names offered', async () => {
  await openFromTree(at.page, 'scripts/tidy.ts');
  await script().getByText('No problems').waitFor({ state: 'attached' });
  const text = editor(at.page, 'scripts/tidy.ts');
  await text.click();
  await at.page.keyboard.press('Control+Home');
  await at.page.keyboard.type('await aside.file.copi({});\n');
  await script().getByRole('button', { name: '1 problem' }).click();
  await at.page.getByRole('heading', { name: 'Problems', exact: true }).waitFor();
  await at.page
    .getByText(/file\.copi/)
    .first()
    .waitFor();
  await at.page
    .getByText(/file\.copi.*line 1|line 1/)
    .first()
    .click();
  await at.page.keyboard.press('Control+Home');
  await at.page.keyboard.press('Shift+End');
  await at.page.keyboard.type('await aside.file.co');
  await at.page.getByRole('option', { name: /^copy/ }).click();
  await at.page.keyboard.type('({ ');
  await at.page.keyboard.press('Control+Space');
  await at.page.getByRole('option', { name: /^from/ }).waitFor();
});

it('changes are shown, asked about once, undone', async () => {
  await openFromTree(at.page, 'scripts/tidy.ts');
  await press('Dry run');
  await at.page.getByRole('heading', { name: 'A run would make 3 changes in 3 files' }).waitFor();
  expect(at.workspace.has('tmp/a.tmp')).toBe(true);
  await at.page.getByRole('button', { name: /tmp\/b\.tmp.*file\.delete/ }).click();
  await everywhere(at.page);
  await press('Run');
  const waiting = at.page.getByRole('article', { name: 'Waiting for you', exact: true });
  await waiting.getByText(/The dry run showed tmp\/a\.tmp, tmp\/b\.tmp, tmp\/c\.tmp/).waitFor();
  await everywhere(at.page);
  await button('Accept all 3 × file.delete in this run').click();
  await button('Really accept all 3 × file.delete in this run').click();
  await at.page.getByRole('article', { name: 'Result' }).waitFor();
  await expect.poll(() => at.workspace.has('tmp/c.tmp')).toBe(false);
  expect(at.workspace.has('tmp/keep.txt')).toBe(true);
  expect(await at.page.getByRole('article', { name: 'Console' }).textContent()).toContain('tidied tmp');
  await everywhere(at.page);
  await button('Undo task…').click();
  await at.page.getByRole('dialog').getByRole('button', { name: 'Undo task: 3 steps' }).click();
  await expect.poll(() => at.workspace.has('tmp/a.tmp') && at.workspace.has('tmp/c.tmp')).toBe(true);
});

it('an error leads to its line', async () => {
  await openFromTree(at.page, 'scripts/tidy.ts');
  await press('Arguments');
  const args = at.page.getByRole('textbox', { name: 'Arguments of the script, as JSON' });
  await args.fill('{ "folder": ');
  await press('Run');
  await script()
    .getByText(/Not valid JSON/)
    .waitFor();
  await args.fill('{ "folder": "nowhere" }');
  await press('Run');
  await button('scripts/tidy.ts, line 2').click();
  await at.page.getByText('Line 2', { exact: true }).waitFor();
});

it('old tabs are closed and listed', async () => {
  await openFromTree(at.page, 'note.md');
  await openFromTree(at.page, 'scripts/archive-tabs.ts');
  await press('Arguments');
  // Of yesterday is what was looked at before now.
  await at.page.getByRole('textbox', { name: 'Arguments of the script, as JSON' }).fill('{ "days": -1 }');
  await press('Run');
  await at.page
    .getByRole('article', { name: 'Result' })
    .getByText(/note\.md/)
    .waitFor();
  await expect.poll(() => at.page.getByRole('tab', { name: /note\.md/ }).count()).toBe(0);
  await expect.poll(() => at.workspace.has('notes/closed-tabs.md')).toBe(true);
  expect(at.workspace.read('notes/closed-tabs.md')).toContain('- [note.md](/note.md)');
});
