// What axe finds in the states of the assistant: nothing, light and dark, in each width.
import { expect, it } from 'vitest';
import { everywhere, violations } from './axe';
import { eachInWindow } from './each';
import { editor, openFromTree } from './support';

const MODEL = 'def ht(x):\n    return x\n\n\nprint(ht(1))\n';
const RENAME = [
  { old: 'def ht(x):\n', new: 'def height(x):\n' },
  { old: 'print(ht(1))\n', new: 'print(height(1))\n' },
];
const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'rename',
      steps: [
        { text: 'I rename it.', calls: [{ name: 'doc.edit', args: { path: 'model.py', edits: RENAME } }] },
        { text: 'That is the rename.' },
      ],
    },
    { when: 'forever', steps: [{ text: 'on and on ', delay_ms: 20, endless: true }] },
    {
      when: 'fail',
      steps: [
        { text: 'I run it.', calls: [{ name: 'shell.run', args: { command: "echo 'no such tide' && exit 3" } }] },
        { text: 'It failed.' },
      ],
    },
  ],
  otherwise: 'I only know these.',
};
const at = eachInWindow({
  'model.py': MODEL,
  'plot.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
  '.aside/rehearsal.json': JSON.stringify(REHEARSAL),
});

const log = () => at.page.getByRole('log', { name: 'Conversation' });

async function ask(text: string): Promise<void> {
  const composer = at.page.getByRole('textbox', { name: 'Message to the assistant' });
  await composer.fill(text);
  await composer.press('Enter');
}

it('a proposal, and one that is stale', async () => {
  await openFromTree(at.page, 'model.py');
  await ask('rename it');
  const first = editor(at.page, 'model.py').getByRole('group', { name: /^Change 1 of 2/ });
  await first.waitFor();
  const card = log().getByText('I rename it.');
  await everywhere(at.page, card);
  await editor(at.page, 'model.py').locator('.cm-line', { hasText: 'def ht(x)' }).click();
  await at.page.keyboard.type('yy');
  await editor(at.page, 'model.py')
    .getByRole('group', { name: /^Change 1 of 2.*out of date$/ })
    .waitFor();
  await everywhere(at.page, card);
});

it('an answer that streams', async () => {
  await ask('go on forever');
  const words = log().getByText('on and on', { exact: false }).first();
  await words.waitFor();
  await everywhere(at.page, words);
});

it('a command that waits, and one that failed', async () => {
  await ask('fail');
  const accept = log().getByRole('button', { name: 'Accept', exact: true });
  await accept.waitFor();
  await everywhere(at.page, accept);
  await accept.click();
  await log().getByRole('button', { name: 'Really accept' }).click();
  const help = log().getByRole('button', { name: 'Help me fix' });
  await help.waitFor();
  await everywhere(at.page, help);
});

it('the list of threads', async () => {
  await openFromTree(at.page, 'model.py');
  await ask('hello one');
  await log().getByText('I only know these.').waitFor();
  const list = at.page.getByRole('dialog', { name: 'Threads' });
  await at.page.getByRole('button', { name: 'Threads: hello one' }).click();
  await list.getByRole('region', { name: 'For this file' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await at.page.emulateMedia({ colorScheme });
    expect(await violations(at.page), colorScheme).toEqual([]);
  }
});

it('a file that no agent works on', async () => {
  await at.page.getByRole('treeitem', { name: 'plot.png', exact: true }).click();
  const none = at.page.getByRole('region', { name: 'No agent for this file' });
  await none.waitFor();
  await everywhere(at.page, none);
});

it('a server that is gone', async () => {
  await ask('hello');
  const answer = log().getByText('I only know these.');
  await answer.waitFor();
  await at.server.kill();
  await at.page.getByRole('contentinfo').getByText('Offline').waitFor();
  await at.page.getByRole('region', { name: 'Offline' }).waitFor();
  await everywhere(at.page, answer);
  expect(await answer.count()).toBe(1);
});

/** Opens a window whose server can't read some of what it has, until it is said that it can. */
async function failing(glob: string): Promise<() => Promise<void>> {
  const body = JSON.stringify({ code: 'internal', message: 'the store can’t be read', data: null });
  await at.page.route(glob, (route) => route.fulfill({ status: 500, contentType: 'application/json', body }));
  await at.page.reload();
  await at.page.getByText('Synced', { exact: true }).waitFor();
  return () => at.page.unroute(glob);
}

it.each([
  ['models', '**/api/v1/models', 'Couldn’t load the models', 'Assistant'],
  ['how far AI goes', '**/api/v1/assistant', 'The assistant is not ready', 'Assistant'],
  ['messages', '**/api/v1/chats/**', 'Couldn’t load the messages', 'Chat'],
])('%s that can’t be read say so, and are asked for again', async (_, glob, title, mode) => {
  await openFromTree(at.page, 'model.py');
  await at.page.getByRole('tab', { name: mode }).click();
  const mend = await failing(glob);
  const said = at.page.getByRole('heading', { name: title });
  await said.waitFor();
  // The key that opens the side where it has no room opens the assistant.
  await everywhere(at.page, mode === 'Assistant' ? said : undefined);
  await mend();
  await at.page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => said.count()).toBe(0);
});

it('a list of threads that can’t be read', async () => {
  const mend = await failing('**/api/v1/threads');
  await at.page.getByRole('button', { name: 'Threads: New thread' }).click();
  const list = at.page.getByRole('dialog', { name: 'Threads' });
  await list.getByRole('alert').waitFor();
  expect(await violations(at.page)).toEqual([]);
  await mend();
  await list.getByRole('button', { name: 'Retry' }).click();
  await list.getByText('No threads yet.').waitFor();
});
