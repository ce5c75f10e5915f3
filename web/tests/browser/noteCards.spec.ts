// Cards of notes and todos: their rows, what is submitted, what a reload and other changes do to them.
import { expect, test } from 'vitest';
import { everywhere, inBothThemes } from './axe';
import { eachInWindow } from './each';
import { act, openFromTree } from './support';

const TODOS = [1, 2, 3].map((line) => ({ path: 'plan.md', line: line + 2, text: `measure ${line}` }));
const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'tick',
      steps: [{ text: 'I tick them.', calls: [{ name: 'todo.done', args: { todos: TODOS } }] }, { text: 'Settled.' }],
    },
    {
      when: 'tag',
      steps: [
        { text: 'I tag it.', calls: [{ name: 'note.tag', args: { notes: [{ path: 'plan.md', add: ['sea'] }] } }] },
        { text: 'Settled.' },
      ],
    },
    {
      when: 'list',
      steps: [{ text: 'I look.', calls: [{ name: 'todo.list', args: {} }] }, { text: 'Three are open.' }],
    },
  ],
  otherwise: 'I only know these.',
};
const PLAN = '# Plan\n\n- [ ] measure 1\n- [ ] measure 2\n- [ ] measure 3\n';
const at = eachInWindow({ 'plan.md': PLAN, '.aside/rehearsal.json': JSON.stringify(REHEARSAL) });

const log = () => at.page.getByRole('log', { name: 'Conversation' });
const card = () =>
  log()
    .getByRole('region')
    .filter({ has: at.page.getByRole('table') });
const press = (name: string) => card().getByRole('button', { name, exact: true }).click();
const row = (number: number) => card().getByRole('checkbox', { name: `Row ${number}: plan.md` });

async function ask(text: string): Promise<void> {
  await openFromTree(at.page, 'plan.md');
  const composer = at.page.getByRole('textbox', { name: 'Message to the assistant' });
  await composer.fill(text);
  await composer.press('Enter');
}

test('only the checked rows are submitted', async () => {
  await ask('tick');
  await row(3).waitFor();
  await everywhere(at.page, card());
  await card().getByText('waiting for user input').waitFor();
  await row(2).focus();
  await at.page.keyboard.press('Space');
  expect(at.workspace.read('plan.md')).toBe(PLAN);
  await press('Submit');
  await log().getByText('Settled.').waitFor();
  await expect
    .poll(() => at.workspace.read('plan.md'))
    .toMatch(/\[x\] measure 1.*\n- \[ \] measure 2\n- \[x\] measure 3/);
  await log().getByRole('button', { name: 'Undo', exact: true }).first().click();
  await expect.poll(() => at.workspace.read('plan.md')).toBe(PLAN);
});

test('a canceled form keeps every byte', async () => {
  await ask('tick');
  await row(1).waitFor();
  await at.page.reload();
  await row(3).waitFor();
  await inBothThemes(at.page);
  await press('Cancel');
  await log()
    .getByRole('region', { name: /: canceled$/ })
    .waitFor();
  expect(at.workspace.read('plan.md')).toBe(PLAN);
});

const edit = (old: string, now: string) => act(at.server, 'doc.edit', { path: 'plan.md', edits: [{ old, new: now }] });

test('a stale row is left out', async () => {
  await ask('tick');
  await row(1).waitFor();
  await row(3).click();
  await edit('- [ ] measure 2', '- [ ] weigh 2');
  await expect.poll(() => at.workspace.read('plan.md')).toContain('weigh 2');
  await press('Submit');
  await card().getByText('that line is now weigh 2', { exact: false }).first().waitFor();
  expect(at.workspace.read('plan.md')).not.toContain('[x]');
  expect(await row(2).isDisabled()).toBe(true);
  expect([await row(1).isChecked(), await row(2).isChecked(), await row(3).isChecked()]).toEqual([true, false, false]);
  await everywhere(at.page, card());
  await press('Submit');
  await log().getByText('Settled.').waitFor();
  await expect
    .poll(() => at.workspace.read('plan.md'))
    .toMatch(/\[x\] measure 1.*\n- \[ \] weigh 2\n- \[ \] measure 3/);
});

test('a form of stale rows is not submitted', async () => {
  await ask('tick');
  await row(1).waitFor();
  for (const line of [1, 2, 3]) await edit(`- [ ] measure ${line}`, `- [ ] weigh ${line}`);
  await expect.poll(() => at.workspace.read('plan.md')).toContain('weigh 3');
  await press('Submit');
  await card().getByText('has no todo', { exact: false }).waitFor();
  expect(at.workspace.read('plan.md')).not.toContain('[x]');
  await press('Cancel');
  await log()
    .getByRole('region', { name: /: canceled$/ })
    .waitFor();
  expect(at.workspace.read('plan.md')).not.toContain('[x]');
});

test('reading shows no card', async () => {
  await ask('list');
  await log().getByText('Three are open.').waitFor();
  expect(await card().count()).toBe(0);
});

test('a submitted tag is written', async () => {
  await ask('tag');
  await row(1).waitFor();
  await press('Submit');
  await log().getByText('Settled.').waitFor();
  await log()
    .getByRole('region', { name: /: completed$/ })
    .waitFor();
  await expect.poll(() => at.workspace.read('plan.md')).toContain('sea');
});
