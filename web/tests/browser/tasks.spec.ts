import { describe, expect, it } from 'vitest';
import type { TaskDetail } from '../../src/wire/gen/types';
import { everywhere, violations } from './axe';
import { eachInWindow } from './each';
import { post, resize } from './support';

const PLANNED = {
  goal: 'Write what the log says',
  steps: [{ action_type: 'doc.create', args: { path: 'new.md', text: 'said\n' } }],
};
const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'delete',
      steps: [
        { text: 'Looking.', calls: [{ name: 'catalog.search', args: { query: 'delete a file' } }] },
        { text: 'It is not used.', calls: [{ name: 'file.delete', args: { path: 'two.csv' } }] },
        { text: 'Settled.' },
      ],
    },
    {
      when: 'as the log says',
      steps: [
        { text: 'Looking.', calls: [{ name: 'catalog.search', args: { query: 'create a file' } }] },
        { text: 'Reading.', calls: [{ name: 'doc.read', args: { path: 'main.log' } }] },
        { text: 'Planning.', calls: [{ name: 'task.plan', args: PLANNED }] },
        { text: 'It waits for you.' },
      ],
    },
  ],
  otherwise: 'I only know this.',
};
const at = eachInWindow({
  'notes.md': '# Notes\n',
  'one.csv': '1\n',
  'two.csv': '2\n',
  'main.log': 'said\n',
  '.aside/rehearsal.json': JSON.stringify(REHEARSAL),
});

const STEPS = [
  { action_type: 'doc.edit', target: {}, args: { path: 'notes.md', edits: [{ old: '# Notes\n', new: '# Tides\n' }] } },
  { action_type: 'file.move', target: {}, args: { from: 'one.csv', to: 'data/one.csv' } },
  { action_type: 'file.delete', target: {}, args: { path: 'two.csv' } },
];

const plan = (goal = 'Tidy the tables', steps: unknown = STEPS) =>
  post<TaskDetail>(at.server, 'tasks', { goal, steps });
const steps = () => at.page.getByRole('list', { name: 'Plan' });
const timeline = () => at.page.getByRole('list', { name: 'Timeline' });
const button = (name: string | RegExp) => at.page.getByRole('button', { name });

async function openTask({ task }: TaskDetail): Promise<void> {
  await at.page.goto(`${at.server.url}w/x/task/${task.id}`);
  await at.page.getByRole('heading', { name: task.goal }).waitFor();
}

/** Says yes to the plan on the screen; it has to be looked at for a moment first. */
async function confirm(name: RegExp): Promise<void> {
  await button(name).click();
  const sure = button(/^Really/);
  if (await sure.count()) await sure.click();
}

describe('a task', () => {
  it('waits with its plan, loses a step, and is confirmed by key', async () => {
    await plan();
    await button('1 task waiting for you').waitFor();
    await at.page.keyboard.press('Alt+u');
    const waiting = at.page.getByRole('list', { name: 'Tasks to review' });
    await waiting.getByRole('button', { name: /Tidy the tables/ }).focus();
    await at.page.keyboard.press('Enter');
    await at.page.getByText('The preview is complete.').waitFor();
    expect(await steps().getByRole('listitem').filter({ hasText: 'to do' }).count()).toBe(3);
    await steps().getByRole('button', { name: 'Skip this step' }).last().click();
    await steps().getByText('skipped').waitFor();
    const yes = button('Confirm all 2 steps');
    await expect.poll(() => yes.isEnabled()).toBe(true);
    await yes.focus();
    await at.page.keyboard.press('Enter');
    await at.page.getByText('completed', { exact: true }).waitFor();
    await expect.poll(() => at.workspace.read('notes.md')).toBe('# Tides\n');
    expect([at.workspace.has('data/one.csv'), at.workspace.has('two.csv')]).toEqual([true, true]);
    await timeline().getByText('Moved one.csv to data/one.csv.').waitFor();
    await expect.poll(() => button('1 task waiting for you').count()).toBe(0);
  });

  it('is followed while it goes on elsewhere', async () => {
    const made = await plan();
    await openTask(made);
    await post(at.server, `tasks/${made.task.id}/decision`, { decision: 'approve', hash: made.plan?.hash });
    await at.page.getByText('completed', { exact: true }).waitFor();
    expect(await steps().getByText('done', { exact: true }).count()).toBe(3);
    await timeline().getByRole('button').last().click();
    await timeline().getByRole('button', { name: 'Undo', exact: true }).waitFor();
  });

  it('stops at the first difference and shows it anew', async () => {
    const made = await plan();
    at.workspace.write('two.csv', 'another program wrote this\n');
    await openTask(made);
    await confirm(/^Confirm all/);
    await at.page.getByText('waiting for you', { exact: true }).waitFor();
    expect(at.workspace.read('two.csv')).toContain('another program');
  });

  it('is taken back as a whole, and run again with edits', async () => {
    const made = await plan('Rename', STEPS.slice(0, 2));
    await openTask(made);
    await confirm(/^Confirm all/);
    await button('Undo task…').click();
    await confirm(/^Undo task(:|$)/);
    await expect.poll(() => at.workspace.read('notes.md')).toBe('# Notes\n');
    await expect.poll(() => at.workspace.has('one.csv')).toBe(true);
    await button('Open original task').click();
    await at.page.getByText('undone', { exact: true }).waitFor();
    await button('Run again…').click();
    const dialog = at.page.getByRole('dialog', { name: 'Run again' });
    await dialog.getByRole('checkbox', { name: 'file.move' }).uncheck();
    const args = dialog.getByRole('textbox', { name: 'Arguments of doc.edit' });
    await args.fill('{"path": "notes.md"}');
    await dialog.getByText('“edits” is missing.').waitFor();
    await args.fill(JSON.stringify({ path: 'notes.md', edits: [{ old: '# Notes\n', new: '# Waves\n' }] }));
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await button('Back to arguments').click();
    expect(await dialog.getByRole('checkbox', { name: 'file.move' }).isChecked()).toBe(false);
    expect(await args.inputValue()).toContain('# Waves');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await confirm(/^Run it/);
    await expect.poll(() => at.workspace.read('notes.md')).toBe('# Waves\n');
  });

  it('is kept as a recipe, whose parameters are named, and runs with other values after it was shown', async () => {
    await openTask(await plan('Move it', STEPS.slice(1, 2)));
    await confirm(/^Confirm/);
    await button('Save as recipe…').click();
    const dialog = at.page.getByRole('dialog', { name: 'Save as recipe' });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const names = dialog.getByRole('textbox', { name: /^Name of parameter/ });
    await names.first().fill('table');
    await dialog.getByRole('button', { name: 'Save names' }).click();
    await dialog.getByRole('textbox', { name: 'Name of parameter table' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const recipes = at.page.getByRole('region', { name: 'Recipes' });
    await recipes.getByRole('button', { name: 'Run move-it' }).click();
    await at.page
      .getByRole('dialog')
      .getByLabel(/^table/)
      .fill('two.csv');
    for (const field of await at.page.getByRole('dialog').getByRole('textbox').all()) {
      if ((await field.inputValue()) === 'data/one.csv') await field.fill('data/two.csv');
    }
    await button('Preview').click();
    await at.page.getByRole('dialog').getByText('Move the file two.csv to data/two.csv').waitFor();
    expect(at.workspace.has('two.csv')).toBe(true);
    expect(await violations(at.page)).toEqual([]);
    await confirm(/^Run it/);
    await expect.poll(() => at.workspace.has('data/two.csv')).toBe(true);
  });

  it('of a message shows what was looked up, and what waits can be answered there', async () => {
    await at.page.getByRole('textbox', { name: 'Message to the assistant' }).fill('delete two.csv');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('log', { name: 'Conversation' }).getByText('It is not used.').waitFor();
    await at.page.goto(`${at.server.url}w/x/tasks`);
    await button(/^delete two\.csv/).click();
    await timeline().getByText('Approval required because:', { exact: false }).waitFor();
    await timeline().getByText('catalog.search.').click();
    await timeline().getByText('Search', { exact: false }).first().waitFor();
    await at.page.getByText('Debug view').click();
    await at.page.getByRole('heading', { name: 'Catalog calls (1)' }).waitFor();
    await expect.poll(() => timeline().getByRole('button', { name: 'Accept', exact: true }).isEnabled()).toBe(true);
    await timeline().getByRole('button', { name: 'Accept', exact: true }).click();
    await timeline().getByRole('button', { name: 'Really accept' }).click();
    await expect.poll(() => at.workspace.has('two.csv')).toBe(false);
    await at.page.getByText('completed', { exact: true }).waitFor();
  });

  it('that an assistant planned says which untrusted source led to it, and what was looked up', async () => {
    await at.page.getByRole('textbox', { name: 'Message to the assistant' }).fill('as the log says');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('log', { name: 'Conversation' }).getByText('It waits for you.').waitFor();
    await at.page.goto(`${at.server.url}w/x/tasks`);
    await button(/^Write what the log says/).click();
    await button('includes untrusted source: main.log').waitFor();
    await timeline().getByText('as the log says', { exact: false }).first().waitFor();
    await at.page.getByText('Debug view').click();
    await at.page.getByRole('heading', { name: 'Catalog calls (1)' }).waitFor();
  });

  it('waits between its steps while it is paused, and goes on by a word', async () => {
    // The first step lasts until a file is there, so that the pause comes in the middle of it.
    const command = 'until test -e go; do sleep 0.05; done';
    const made = await plan('Wait, then move', [{ action_type: 'shell.run', args: { command } }, STEPS[1]]);
    await openTask(made);
    await confirm(/^Confirm all/);
    await button('Pause').focus();
    await at.page.keyboard.press('Enter');
    await at.page.getByText('paused', { exact: true }).waitFor();
    at.workspace.write('go', '');
    await steps().getByText('done', { exact: true }).waitFor();
    expect(at.workspace.has('data/one.csv')).toBe(false);
    await button('Resume').focus();
    await at.page.keyboard.press('Enter');
    await at.page.getByText('completed', { exact: true }).waitFor();
    await expect.poll(() => at.workspace.has('data/one.csv')).toBe(true);
  });

  it('is taken back in part only if a person says so', async () => {
    const made = await plan('Count, then edit', [
      { action_type: 'shell.run', args: { command: 'wc -l notes.md', network: true } },
      STEPS[0],
    ]);
    await openTask(made);
    await confirm(/^Confirm all/);
    await button('Undo task…').click();
    const dialog = at.page.getByRole('dialog', { name: 'Undo task' });
    await dialog.getByText('One step can’t be undone', { exact: false }).waitFor();
    expect(await dialog.getByRole('button', { name: /^Undo task(:|$)/ }).isDisabled()).toBe(true);
    expect(await violations(at.page)).toEqual([]);
    await dialog.getByLabel('Undo only what can be undone').check();
    await expect.poll(() => dialog.getByRole('button', { name: /^Undo task(:|$)/ }).isEnabled()).toBe(true);
    await confirm(/^Undo task(:|$)/);
    await expect.poll(() => at.workspace.read('notes.md')).toBe('# Notes\n');
  });

  it('leads to the message it was made for, and the message leads to it', async () => {
    const log = at.page.getByRole('log', { name: 'Conversation' });
    await at.page.getByRole('textbox', { name: 'Message to the assistant' }).fill('delete two.csv');
    await at.page.keyboard.press('Enter');
    await log.getByText('It is not used.').waitFor();
    await log.getByRole('button', { name: 'Open task' }).click();
    await at.page.getByRole('tab', { name: 'delete two.csv', selected: true }).waitFor();
    await at.page.reload();
    await at.page.getByRole('tab', { name: 'delete two.csv' }).waitFor();
    await at.page.getByRole('button', { name: 'New thread', exact: true }).click();
    await button('Open thread').click();
    const message = log.getByRole('article', { name: /^Message from/ });
    await expect.poll(() => message.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('is found again by what it was about, and the link says so', async () => {
    await plan('Tidy');
    await plan('Rename', STEPS.slice(0, 1));
    await at.page.goto(`${at.server.url}w/x/tasks?q=one.csv`);
    await button(/^Tidy/).waitFor();
    expect(await button(/^Rename/).count()).toBe(0);
    await at.page.getByRole('searchbox', { name: 'Search tasks' }).fill('no such words');
    await at.page.getByText('No matches.').waitFor();
    await expect.poll(() => at.page.url()).toContain('q=no+such+words');
    await at.page.getByRole('searchbox', { name: 'Search tasks' }).fill('');
    await button(/^Rename/).waitFor();
    await at.page.getByRole('combobox', { name: 'Task state' }).selectOption('completed');
    await at.page.getByText('No matches.').waitFor();
    expect(at.page.url()).toContain('state=completed');
  });

  it('of long ago is found by going back', async () => {
    for (let number = 1; number <= 52; number += 1) {
      const { task } = await plan(`Old ${number}`, STEPS.slice(0, 1));
      await post(at.server, `tasks/${task.id}/cancel`, {});
    }
    await plan('Under way');
    await resize(at.page, 1440, 400);
    await at.page.goto(`${at.server.url}w/x/tasks`);
    await button(/^Under way/).waitFor();
    await button(/^Old 52/).waitFor();
    expect(await button(/^Old \d/).count()).toBe(50);
    await button('Show older').focus();
    await at.page.keyboard.press('Enter');
    await button(/^Old 1(?!\d)/).waitFor();
    expect(await button(/^Old \d/).count()).toBe(52);
    expect(await button('Show older').count()).toBe(0);
  });
});

it('tasks have nothing that axe finds', async () => {
  const made = await plan();
  await openTask(made);
  await at.page.getByText('The preview is complete.').waitFor();
  await everywhere(at.page);
  await confirm(/^Confirm all/);
  await at.page.getByText('completed', { exact: true }).waitFor();
  await at.page.getByText('Debug view').click();
  await everywhere(at.page);
  await button('Run again…').click();
  await at.page.getByRole('dialog').waitFor();
  await everywhere(at.page);
  await at.page.keyboard.press('Escape');
  await at.page.goto(`${at.server.url}w/x/tasks`);
  await button(/^Tidy/).waitFor();
  await everywhere(at.page);
});
