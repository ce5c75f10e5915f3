// Help where something went wrong, pressed: at a cell that failed, at a command that failed; what a command puts out
// while it runs, and the lines that a change has left.
import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachInWindow } from './each';
import { cellOf, code, notebookOf } from './notebooks';
import { editor, openFromTree } from './support';

const FAILED = {
  output_type: 'error',
  ename: 'ZeroDivisionError',
  evalue: 'division by zero',
  traceback: ['ZeroDivisionError: division by zero'],
};
const run = (when: string, command: string, said: string) => ({
  when,
  steps: [{ text: 'I run it.', calls: [{ name: 'shell.run', args: { command } }] }, { text: said }],
});
const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'Help me fix this error',
      steps: [
        {
          text: 'I divide by one.',
          calls: [
            {
              name: 'cell.edit',
              args: { path: 'tides.ipynb', cell: 'first', edits: [{ old: '1 / 0', new: '1 / 1' }] },
            },
          ],
        },
      ],
    },
    run('fail', "echo 'no such tide' && exit 3", 'It failed.'),
    run('compile', "echo 'model.py:81:1: error: no such name: low' && exit 1", 'It did not compile.'),
    run('slow', 'echo begun; sleep 4; echo over', 'It ended.'),
    {
      when: 'rename',
      steps: [
        {
          text: 'I rename it.',
          calls: [{ name: 'doc.edit', args: { path: 'model.py', edits: [{ old: 'low = 1\n', new: 'ebb = 1\n' }] } }],
        },
        { text: 'That is it.' },
      ],
    },
  ],
  otherwise: 'I only know these.',
};
const at = eachInWindow({
  'tides.ipynb': notebookOf([code('first', '1 / 0', [FAILED])]),
  'model.py': `${'x = 0\n'.repeat(80)}low = 1\n`,
  'other.py': 'y = 1\n',
  '.aside/rehearsal.json': JSON.stringify(REHEARSAL),
});

const log = () => at.page.getByRole('log', { name: 'Conversation' });
const newest = async () =>
  (await at.page.evaluate(async () => (await fetch('/api/v1/threads')).json())) as { document: string | null }[];

async function ask(text: string): Promise<void> {
  const composer = at.page.getByRole('textbox', { name: 'Message to the assistant' });
  await composer.fill(text);
  await composer.press('Enter');
}

/** Lets the command run, which is pressed twice. */
async function letRun(): Promise<void> {
  await log().getByRole('button', { name: 'Accept', exact: true }).click();
  await log().getByRole('button', { name: 'Really accept' }).click();
}

describe('help', () => {
  it('with a cell that failed is given by the agent of its notebook, which is shown the cell and mends it', async () => {
    await at.page.getByRole('treeitem', { name: 'tides.ipynb' }).click();
    await cellOf(at.page, 'first').getByRole('button', { name: 'Help me fix' }).click();
    await log().getByText('Cell 1 (code) of tides.ipynb').waitFor();
    await log().getByText('Output of a cell of tides.ipynb').waitFor();
    await log().getByRole('button', { name: 'Accept', exact: true }).click();
    await expect.poll(() => at.workspace.read('tides.ipynb'), { timeout: 10_000 }).toContain('1 / 1');
    expect((await newest()).map(({ document }) => document)).toEqual(['tides.ipynb']);
  });

  it('with a command that failed goes with what it put out', async () => {
    await ask('fail');
    await letRun();
    await log().getByText('It failed.').waitFor();
    await log()
      .getByRole('button', { name: /^Run .*exit status 3/ })
      .waitFor();
    await log().getByRole('button', { name: 'Get a hint' }).click();
    await at.page.getByText('Hints only').first().waitFor();
    await log()
      .getByText(/^Output of echo/)
      .click();
    await log().getByText('no such tide', { exact: false }).last().waitFor();
  });
});

it('a problem that a command found goes where its line goes', async () => {
  await openFromTree(at.page, 'model.py');
  await ask('compile');
  await letRun();
  await log().getByText('It did not compile.').waitFor();
  const text = editor(at.page, 'model.py');
  await text.press('Control+Home');
  await at.page.keyboard.press('F8');
  const status = at.page.getByRole('contentinfo');
  await status.getByText('Line 81', { exact: true }).waitFor();
  await text.press('Control+Home');
  await at.page.keyboard.insertText('# one\n# two\n# three\n');
  // Its marks are drawn anew from what the command said.
  await openFromTree(at.page, 'other.py');
  await openFromTree(at.page, 'model.py');
  await text.press('Control+Home');
  await at.page.keyboard.press('F8');
  await status.getByText('Line 84', { exact: true }).waitFor();
  expect(await text.locator('.cm-lintRange-error').allTextContents()).toEqual(['low = 1']);
  await at.page.keyboard.press('Shift+F10');
  await at.page.getByRole('menuitem', { name: 'Help me fix' }).click();
  await log().getByText('Help me fix this problem.').waitFor();
  await log().getByText('Problem: line 84 of model.py').waitFor();
  await log().getByText('Line 84 of model.py selected').click();
  await log()
    .getByText(/84\s+low = 1/)
    .waitFor();
});

describe('a question', () => {
  const button = () => cellOf(at.page, 'first').getByRole('button', { name: 'Help me fix' });
  const unasked = () => at.page.getByRole('dialog', { name: 'Couldn’t send the question' });

  it('that did not go out is shown, and tried again in its own thread', async () => {
    await at.page.getByRole('treeitem', { name: 'tides.ipynb' }).click();
    await at.page.getByRole('tab', { name: 'Chat' }).click();
    for (const lost of ['**/api/v1/threads', '**/api/v1/threads/*/turns']) {
      await at.page.route(lost, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
      if (lost.endsWith('turns')) await unasked().getByRole('button', { name: 'Retry' }).click();
      else await button().click();
      await unasked().getByText('ZeroDivisionError', { exact: false }).waitFor();
      await unasked().getByRole('alert').getByText('Can’t reach Aside', { exact: false }).waitFor();
      expect(await violations(at.page)).toEqual([]);
      await at.page.unroute(lost);
    }
    await unasked().getByRole('button', { name: 'Retry' }).click();
    await log().getByText('I divide by one.').waitFor();
    expect(await newest()).toHaveLength(1);
    expect(await unasked().count()).toBe(0);
  });

  it('pressed twice is asked once', async () => {
    await at.page.getByRole('treeitem', { name: 'tides.ipynb' }).click();
    await button().dblclick();
    await log().getByText('I divide by one.').waitFor();
    expect(await newest()).toHaveLength(1);
  });
});

it('what a command puts out is seen while it runs', async () => {
  await ask('slow');
  await letRun();
  const out = log().getByRole('region', { name: /^Run / });
  await out.getByText('begun', { exact: true }).waitFor();
  expect(await log().getByText('It ended.').count()).toBe(0);
  await log().getByText('It ended.').waitFor({ timeout: 10_000 });
});

it('the lines that a change has left are gone to from its card', async () => {
  await openFromTree(at.page, 'model.py');
  await ask('rename');
  await at.page.getByRole('region', { name: 'Review' }).getByRole('button', { name: 'Accept all' }).click();
  await log().getByText('That is it.').waitFor();
  await expect.poll(() => at.workspace.read('model.py')).toContain('ebb = 1');
  await openFromTree(at.page, 'other.py');
  const card = log().getByRole('region', { name: /model\.py/ });
  if ((await card.getByRole('button', { name: 'Go to lines' }).count()) === 0)
    await card.getByRole('button').first().click();
  await card.getByRole('button', { name: 'Go to lines' }).click();
  await editor(at.page, 'model.py').waitFor();
  await at.page.getByRole('contentinfo').getByText('Line 81', { exact: true }).waitFor();
});
