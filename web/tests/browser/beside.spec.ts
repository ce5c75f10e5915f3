// Threads and the files they are beside: who turns to a file that another agent works on gets that file's own thread.
import { expect, it } from 'vitest';
import { everywhere } from './axe';
import { eachInWindow } from './each';
import { cells, code, notebookOf } from './notebooks';
import { editor, openFromTree } from './support';

const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'mend',
      steps: [
        {
          text: 'I mend it.',
          calls: [
            {
              name: 'cell.edit',
              args: { path: 'tides.ipynb', cell: 'first', edits: [{ old: 'x = 1', new: 'x = 2' }] },
            },
          ],
        },
      ],
    },
  ],
  otherwise: 'I only know these.',
};
const at = eachInWindow({
  'model.py': 'x = 0\n',
  'plot.py': 'y = 0\n',
  'tides.ipynb': notebookOf([code('first', 'x = 1')]),
  '.aside/rehearsal.json': JSON.stringify(REHEARSAL),
});

const log = () => at.page.getByRole('log', { name: 'Conversation' });
const composer = () => at.page.getByRole('textbox', { name: 'Message to the assistant' });
const head = (title: string) => at.page.getByRole('button', { name: `Threads: ${title}` });
const note = () => at.page.getByRole('status').filter({ hasText: 'has its own' });

async function ask(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press('Enter');
}

async function openNotebook(): Promise<void> {
  await at.page.getByRole('treeitem', { name: 'tides.ipynb', exact: true }).click();
  await cells(at.page).first().waitFor();
}

/** Begins a thread beside each of them. */
async function begin(): Promise<void> {
  await openFromTree(at.page, 'model.py');
  await ask('hello model');
  await log().getByText('I only know these.').waitFor();
}

it('a cell is changed when it is asked for beside its notebook, whatever was talked about before', async () => {
  await begin();
  await openNotebook();
  await head('New thread').waitFor();
  await ask('mend the cell');
  await log().getByRole('button', { name: 'Accept', exact: true }).click();
  await expect.poll(() => at.workspace.read('tides.ipynb'), { timeout: 10_000 }).toContain('x = 2');
  // A turn that runs stays in sight, whatever file is opened.
  await at.page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' });
  // Each file has its own; files of one agent share what is shown.
  await openFromTree(at.page, 'model.py');
  await head('hello model').waitFor();
  await openFromTree(at.page, 'plot.py');
  await head('hello model').waitFor();
  await openNotebook();
  await head('mend the cell').waitFor();
  await head('mend the cell').click();
  const list = at.page.getByRole('dialog', { name: 'Threads' });
  const beside = list.getByRole('region', { name: 'For this file' });
  await beside.getByRole('button', { name: /^mend the cell/ }).waitFor();
  expect(await beside.getByRole('listitem').count()).toBe(1);
  await list
    .getByRole('region', { name: 'Recent' })
    .getByRole('button', { name: /^hello model/ })
    .click();
  await note().waitFor();
});

it('words that are not sent stay where they are, and the other thread is offered', async () => {
  await begin();
  await composer().fill('half a thought');
  await openNotebook();
  await note().getByText('tides.ipynb').waitFor();
  expect(await composer().inputValue()).toBe('half a thought');
  await everywhere(at.page, note());
  await note().getByRole('button', { name: 'New thread for this file' }).click();
  await head('New thread').waitFor();
  expect(await note().count()).toBe(0);
  await openFromTree(at.page, 'model.py');
  await editor(at.page, 'model.py').waitFor();
  expect(await head('New thread').count()).toBe(1);
});
