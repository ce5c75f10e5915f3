// A script that the assistant writes: in the quick task and in its thread, its changes first, its question, the script folded.
import { expect, it } from 'vitest';
import { everywhere } from './axe';
import { eachInWindow } from './each';
import { resize } from './support';

const SOURCE = `// Deletes drafts
const { entries } = (await aside.file.list({ folder: "tmp" })).data;
for (const { path } of entries) if (path.endsWith(".tmp")) await aside.file.delete({ path });
return entries.length;
`;
const run = (args: object) => ({ name: 'action_run', args: { action_type: 'script.run', args } });
const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'drafts',
      steps: [
        { text: 'I look it up.', calls: [{ name: 'catalog.describe', args: { name: 'script.run' } }] },
        { text: 'I show what it would do.', calls: [run({ source: SOURCE, dry_run: true })] },
        { text: 'Now I do it.', calls: [run({ source: SOURCE })] },
        { text: 'The drafts are **gone**.' },
      ],
    },
  ],
  otherwise: 'I only know these.',
};
const at = eachInWindow({
  'tmp/a.tmp': 'a\n',
  'tmp/b.tmp': 'b\n',
  'tmp/c.tmp': 'c\n',
  'tmp/keep.txt': 'k\n',
  '.aside/rehearsal.json': JSON.stringify(REHEARSAL),
});
const panel = () => at.page.getByRole('region', { name: 'Quick task' });
const script = () => panel().getByRole('article', { name: 'Script', exact: true }).first();

async function ask(): Promise<void> {
  await at.page.keyboard.press('Control+k');
  await at.page.getByRole('combobox', { name: /^Ask Aside/ }).fill('remove all the drafts for good');
  await at.page.getByRole('option', { name: /^Ask the assistant/, selected: true }).waitFor();
  // A press right after the rows have changed means the rows from before.
  await at.page.waitForTimeout(400);
  await at.page.keyboard.press('Enter');
}

it('one answer covers calls of the dry run', async () => {
  await ask();
  await script().getByText('The dry run showed tmp/a.tmp, tmp/b.tmp, tmp/c.tmp.', { exact: false }).waitFor();
  await panel().getByText('Waiting for you').first().waitFor();
  await panel().getByText('A run would make 3 changes in 3 files').waitFor();
  await script().getByText('Script of 4 lines').click();
  await script().getByText('Deletes drafts', { exact: false }).first().waitFor();
  await everywhere(at.page);
  await resize(at.page, 400, 800);
  await everywhere(at.page);
  await resize(at.page, 1440, 900);
  const all = script().getByRole('button', { name: /all 3 × file\.delete/i });
  await all.click();
  await script()
    .getByRole('button', { name: /^Really accept all 3/ })
    .click();
  await panel().getByText('The drafts are gone.').waitFor();
  expect(['a', 'b', 'c'].map((name) => at.workspace.has(`tmp/${name}.tmp`))).toEqual([false, false, false]);
  expect(at.workspace.has('tmp/keep.txt')).toBe(true);
  await panel().getByRole('button', { name: 'Open as thread' }).click();
  const log = at.page.getByRole('log', { name: 'Conversation' });
  await log.getByText('A run would make 3 changes in 3 files').waitFor();
  await log.getByText('The drafts are gone.').waitFor();
});

it('a waiting question covers the whole run', async () => {
  await ask();
  await script().getByText('The script waits for you').waitFor();
  await at.page.keyboard.press('Escape');
  await at.page
    .getByRole('button', { name: /waiting for you/i })
    .first()
    .click();
  const item = at.page.locator('[data-action]').first();
  await item.getByRole('button', { name: /all 3 × file\.delete/i }).click();
  await item.getByRole('button', { name: /^Really accept all 3/ }).click();
  await expect.poll(() => at.workspace.has('tmp/c.tmp')).toBe(false);
});
