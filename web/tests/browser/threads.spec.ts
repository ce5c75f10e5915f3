// Threads as several windows know them: what was deleted meanwhile, what runs, and a message about what the server has
// not got yet.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Submitted } from '../../src/wire/gen/types';
import { violations } from './axe';
import { eachInWindow } from './each';
import { act, editor, openFromTree, openWindow, post } from './support';

const REHEARSAL = {
  name: 'tests',
  replies: [{ when: 'slow', steps: [{ text: 'on and '.repeat(2000), delay_ms: 40 }] }],
  otherwise: 'I only know these.',
};
const at = eachInWindow({ 'model.py': 'x = 0\n', '.aside/rehearsal.json': JSON.stringify(REHEARSAL) });

const log = (page = at.page) => page.getByRole('log', { name: 'Conversation' });
const composer = (page = at.page) => page.getByRole('textbox', { name: 'Message to the assistant' });
const current = (page: Page, title: string) => page.getByRole('button', { name: `Threads: ${title}`, exact: true });

async function ask(text: string, page = at.page): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

/** Loads a window again, and cuts or mends its connection from then on; requests go through. */
async function wired(page: Page): Promise<{ cut(): Promise<void>; mend(): void }> {
  let whole = true;
  let end = async () => {};
  await page.routeWebSocket(/api\/v1\/connection/, (socket) => {
    if (!whole) return void socket.close();
    const server = socket.connectToServer();
    end = async () => {
      await server.close();
      await socket.close();
    };
  });
  await page.reload();
  await page.getByText('Synced', { exact: true }).waitFor();
  return {
    cut: async () => {
      whole = false;
      await end();
      await page.getByRole('contentinfo').getByText('Offline').waitFor();
    },
    mend: () => {
      whole = true;
    },
  };
}

/** The threads as another program sees them. */
async function threads(): Promise<{ id: string }[]> {
  const headers = { Authorization: `Bearer ${at.server.token}` };
  return (await (await fetch(`${at.server.url}api/v1/threads`, { headers })).json()) as { id: string }[];
}

/** Deletes every thread, as another window would; returns their ids. */
async function deleteAll(): Promise<string[]> {
  const list = await threads();
  for (const { id } of list) {
    const asked = await post<Submitted>(at.server, 'actions', { action_type: 'thread.delete', args: { thread: id } });
    const yes = { decision: 'approve', hash: asked.record.approval_hash };
    await post(at.server, `actions/${asked.id}/decision`, yes);
  }
  return list.map(({ id }) => id);
}

it('one that was deleted while a window was offline is in its list no more', async () => {
  const other = await openWindow(at.browser, at.server);
  await ask('hello there');
  await log().getByText('I only know these.').waitFor();
  const wire = await wired(other);
  await current(other, 'hello there').waitFor();
  await wire.cut();
  await deleteAll();
  wire.mend();
  await current(other, 'New thread').waitFor({ timeout: 15_000 });
  await current(other, 'New thread').click();
  await other.getByRole('dialog', { name: 'Threads' }).getByText('No threads yet.').waitFor();
});

it('one that was deleted before a window is loaded again is said not to be there, with the ways on', async () => {
  await ask('hello there');
  await log().getByText('I only know these.').waitFor();
  const address = at.page.url();
  await at.page.goto('about:blank');
  const deleted = await deleteAll();
  await at.page.goto(address);
  await log().getByRole('heading', { name: 'Couldn’t load this thread' }).waitFor();
  expect(await log().getByText('Loading…').count()).toBe(0);
  expect(await violations(at.page)).toEqual([]);
  for (const thread of deleted) await act(at.server, 'thread.restore', { thread });
  await log().getByRole('button', { name: 'Retry' }).click();
  await log().getByText('I only know these.').waitFor();
  expect(await log().getByRole('heading', { name: 'Couldn’t load this thread' }).count()).toBe(0);
});

it('one that runs is listed as such in every window, also after a reload', async () => {
  await ask('slow, please');
  await log().getByText('on and on', { exact: false }).first().waitFor();
  const other = await openWindow(at.browser, at.server);
  await at.page.getByRole('button', { name: 'New thread' }).first().click();
  await at.page.reload();
  const group = (page: Page, name: string) =>
    page.getByRole('dialog', { name: 'Threads' }).getByRole('region', { name }).getByText('slow, please');
  for (const page of [other, at.page]) {
    await page.getByRole('button', { name: /^Threads: / }).click();
    await group(page, 'Running').waitFor();
  }
  const [thread] = await threads();
  await post(at.server, `threads/${thread?.id}/stop`, {});
  for (const page of [other, at.page]) await group(page, 'Recent').waitFor();
});

it('nothing is asked about a text that the server has not got yet', async () => {
  const wire = await wired(at.page);
  await openFromTree(at.page, 'model.py');
  await editor(at.page, 'model.py').click();
  await at.page.keyboard.press('Control+Home');
  await wire.cut();
  await at.page.keyboard.type('height = 1\n');
  await ask('what is the height?');
  const side = at.page.getByRole('tabpanel', { name: 'Assistant' });
  const alert = side.getByRole('alert').filter({ hasText: 'Your last changes have not reached Aside' });
  await alert.waitFor({ timeout: 10_000 });
  expect(await composer().inputValue()).toBe('what is the height?');
  wire.mend();
  await at.page.getByRole('contentinfo').getByText('Synced', { exact: true }).waitFor({ timeout: 15_000 });
  await alert.getByRole('button', { name: 'Retry' }).click();
  await log().getByText('I only know these.').waitFor();
  const along = log().getByRole('list', { name: 'Context sent with this message' });
  await along.locator('summary').first().click();
  await along.getByText('height = 1', { exact: false }).waitFor();
});

it('a name that is not saved stays in its field, and why is said', async () => {
  await ask('hello there');
  await log().getByText('I only know these.').waitFor();
  await at.page.route('**/api/v1/actions', (route) =>
    route.request().postData()?.includes('thread.rename') ? route.abort() : route.continue(),
  );
  await current(at.page, 'hello there').click();
  await at.page.getByRole('button', { name: 'Rename hello there' }).click();
  await at.page.getByRole('textbox', { name: 'Title' }).fill('Tides');
  await at.page.getByRole('textbox', { name: 'Title' }).press('Enter');
  await at.page.getByRole('region', { name: 'Messages' }).getByText('Can’t reach Aside', { exact: false }).waitFor();
  expect(await at.page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Tides');
});
