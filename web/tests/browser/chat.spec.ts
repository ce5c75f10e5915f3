import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { everywhere, inBothThemes, violations } from './axe';
import { eachInWindow } from './each';
import { cellOf, cells, NOTEBOOK } from './notebooks';
import { addressOf, editor, freePort, openFromTree, openWindow, post, resize, serve } from './support';

const PNG = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
    'base64',
  ),
);

const at = eachInWindow({
  'model.py': 'print(1)\n',
  'notes.md': '# Notes\n',
  'plot.png': PNG,
  'tides.ipynb': NOTEBOOK,
});

const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
const field = (page: Page) => page.getByRole('textbox', { name: 'Message to the people here' });
const log = (page: Page) => page.getByRole('log', { name: 'Messages' });
const badge = (page: Page) => page.getByRole('banner').getByRole('button', { name: /unread message/ });

async function openChat(page: Page, path: string): Promise<void> {
  await openFromTree(page, path);
  await tab(page, 'Chat').click();
  await field(page).waitFor();
}

async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
  await expect.poll(() => field(page).inputValue()).toBe('');
}

/** Lets Ben in as the owner does, and opens his window. */
async function ben(): Promise<Page> {
  await at.page.getByRole('button', { name: 'People' }).click();
  const dialog = at.page.getByRole('dialog', { name: 'People' });
  await dialog.getByRole('textbox', { name: 'Name of the guest' }).fill('B. Miller');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const asked = at.page.getByRole('dialog', { name: 'Let B. Miller in as a guest' });
  await asked.getByText('at once and without a question').waitFor();
  await asked.getByRole('button', { name: 'Confirm' }).click();
  const link = await dialog.locator('code').textContent();
  await at.page.keyboard.press('Escape');
  const token = link?.split('#token=')[1] ?? '';
  const window = await openWindow(at.browser, { ...at.server, token });
  const name = window.getByRole('dialog', { name: 'How should others see you?' });
  await name.getByRole('textbox', { name: 'Your name' }).fill('Ben');
  await name.getByRole('button', { name: 'Continue' }).click();
  return window;
}

describe('the side', () => {
  it('is switched for everybody who looks at the document, by key too, and stays after a restart', async () => {
    const port = await freePort();
    await at.server.kill();
    at.server = await serve(at.workspace, port, 'the-same-token');
    await at.page.context().close();
    at.page = await openWindow(at.browser, at.server);
    const other = await openWindow(at.browser, at.server);
    await openFromTree(at.page, 'model.py');
    await openFromTree(other, 'model.py');
    expect(await tab(at.page, 'Assistant').getAttribute('aria-selected')).toBe('true');
    await tab(at.page, 'Assistant').press('ArrowRight');
    await field(at.page).waitFor();
    await expect.poll(() => tab(other, 'Chat').getAttribute('aria-selected')).toBe('true');
    await other.context().close();
    await at.page.getByText('Synced', { exact: true }).waitFor();
    await at.server.kill();
    at.server = await serve(at.workspace, port, 'the-same-token');
    const again = await openWindow(at.browser, at.server);
    await openFromTree(again, 'model.py');
    await field(again).waitFor();
    await openFromTree(again, 'notes.md');
    await again.getByRole('textbox', { name: 'Message to the assistant' }).waitFor();
    await again.keyboard.press('Alt+c');
    await expect.poll(() => field(again).evaluate((element) => element === document.activeElement)).toBe(true);
    await again.keyboard.press('Control+j');
    await again.getByRole('textbox', { name: 'Message to the assistant' }).waitFor();
  });

  it('is there beside a file that is no text, and for one that is renamed', async () => {
    await at.page.getByRole('treeitem', { name: 'plot.png', exact: true }).click();
    await tab(at.page, 'Chat').click();
    await say(at.page, 'a point');
    await at.page.getByRole('treeitem', { name: 'plot.png', exact: true }).click();
    await at.page.getByRole('tree').focus();
    await at.page.keyboard.press('F2');
    await at.page.getByRole('textbox', { name: 'New name for plot.png' }).fill('point.png');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('tab', { name: 'point.png' }).waitFor();
    await log(at.page).getByText('a point').waitFor();
  });
});

describe('two people', () => {
  it('talk: unread, mentions, edits and deletions reach the other', async () => {
    await openChat(at.page, 'model.py');
    const other = await ben();
    await openFromTree(other, 'notes.md');
    await say(at.page, 'Have a look at `model.py`');
    await expect.poll(() => badge(other).textContent()).toContain('1');
    await field(at.page).fill('what do you think, @b');
    await at.page.getByRole('option', { name: /Ben/ }).waitFor();
    await field(at.page).press('Enter');
    expect(await field(at.page).inputValue()).toBe('what do you think, @Ben ');
    await field(at.page).press('Enter');
    await badge(other).filter({ hasText: '1 mentions you' }).click();
    await log(other).getByText('what do you think').waitFor();
    await log(other).getByText('New', { exact: true }).waitFor();
    await badge(other).waitFor({ state: 'detached' });
    expect(await log(other).locator('[data-me="true"]').textContent()).toBe('@Ben');
    await say(other, 'It is **fine**');
    await log(at.page).locator('strong', { hasText: 'fine' }).waitFor();
    expect(await badge(at.page).count(), 'what is on the screen is read').toBe(0);
    expect(await log(at.page).getByRole('button', { name: 'Edit this message' }).count(), 'only ones own').toBe(2);
    await log(other).getByRole('button', { name: 'Edit this message' }).click();
    await other.getByRole('textbox', { name: 'Your message' }).fill('It is **good**');
    await other.getByRole('button', { name: 'Save' }).click();
    await log(at.page).locator('strong', { hasText: 'good' }).waitFor();
    await log(at.page).getByText('edited').waitFor();
    await log(other).getByRole('button', { name: 'Delete this message…' }).click();
    await log(other).getByRole('button', { name: 'Delete this message' }).click();
    await log(other).getByRole('button', { name: 'Really delete this message' }).click();
    await log(at.page).getByText('This message was deleted.').waitFor();
  });

  it('a guest has no assistant and nothing of the owner’s; one who is removed is out at once', async () => {
    await openChat(at.page, 'model.py');
    const other = await ben();
    await other.getByRole('button', { name: 'Open file' }).waitFor();
    expect(await other.getByRole('button', { name: /^New / }).count()).toBe(0);
    await openFromTree(other, 'model.py');
    expect(await tab(other, 'Assistant').count()).toBe(0);
    await field(other).waitFor();
    await editor(other, 'model.py').press('Control+End');
    await other.keyboard.type('print(2)\n');
    await expect.poll(() => at.workspace.read('model.py')).toContain('print(2)');
    expect(await violations(other)).toEqual([]);
    await at.page.getByRole('button', { name: 'People' }).click();
    const dialog = at.page.getByRole('dialog', { name: 'People' });
    await dialog.getByRole('button', { name: 'Remove Ben' }).click();
    await dialog.getByRole('button', { name: 'Really remove Ben' }).click();
    await dialog.getByText('Ben').waitFor({ state: 'detached' });
    await other.getByRole('contentinfo').getByText('Offline').waitFor();
  });
});

describe('a guest', () => {
  it('edits a notebook, and is told that only its owner runs it', async () => {
    await openChat(at.page, 'model.py');
    const other = await ben();
    await other.getByRole('treeitem', { name: 'tides.ipynb', exact: true }).click();
    await cells(other).first().waitFor();
    await other.getByRole('toolbar', { name: 'Notebook' }).getByText('Only the owner can run cells').waitFor();
    await cellOf(other, 'second').focus();
    for (const name of [/^Run/, /^Kernel/, /^Interrupt/]) {
      expect(await other.getByRole('button', { name }).count(), String(name)).toBe(0);
    }
    await other.keyboard.press('Shift+Enter');
    await other.getByText('Only the owner can run cells', { exact: true }).first().waitFor();
    expect(await violations(other)).toEqual([]);
  });

  it('finds files and keys in the palette, and nothing of the owner’s', async () => {
    await openChat(at.page, 'model.py');
    const other = await ben();
    await other.keyboard.press('Control+k');
    const palette = other.getByRole('dialog', { name: 'Find a command or file' });
    await palette.getByRole('option', { name: /^Go to the chat/ }).waitFor();
    for (const words of ['models', 'permissions', 'activity log', 'tasks', 'new thread', 'what may I do here now?']) {
      await palette.getByRole('combobox').fill(words);
      const found = await palette.getByRole('option').allTextContents();
      expect(
        found.filter((each) => /^(Models|Permissions|Activity|Tasks|New thread|Ask)/.test(each)),
        words,
      ).toEqual([]);
    }
  });

  it('keeps an arrangement of their own, and can’t change the owner’s', async () => {
    await openFromTree(at.page, 'model.py');
    await openFromTree(at.page, 'notes.md');
    await tab(at.page, 'Chat').click();
    const other = await ben();
    await openFromTree(other, 'model.py');
    await expect.poll(() => other.evaluate(() => localStorage.getItem('aside.frames'))).toContain('model.py');
    await other.reload();
    await editor(other, 'model.py').waitFor();
    await at.page.reload();
    await editor(at.page, 'notes.md').waitFor();
    const tabs = at.page.getByRole('tablist', { name: 'Tabs' }).getByRole('tab');
    expect(await tabs.filter({ hasText: /model|notes/ }).count()).toBeGreaterThan(1);
  });

  it('sees of the owner’s pages that they are the owner’s', async () => {
    await openChat(at.page, 'model.py');
    const other = await ben();
    const pages = {
      'settings/rules': 'Permissions',
      'settings/models': 'Models',
      audit: 'Activity log',
      tasks: 'Tasks',
    };
    for (const [path, title] of Object.entries(pages)) {
      await other.goto(await addressOf(other, path));
      await other.getByRole('heading', { name: `Only the owner can open “${title}”` }).waitFor();
      await everywhere(other);
    }
    await other.getByRole('button', { name: 'Close tab' }).click();
    await expect.poll(() => other.getByRole('heading', { name: 'Only the owner can open “Tasks”' }).count()).toBe(0);
  });
});

describe('a message', () => {
  it('shows no markup, loads nothing and steers nothing', async () => {
    await openChat(at.page, 'model.py');
    const asked: string[] = [];
    at.page.on('request', (request) => asked.push(request.url()));
    await say(
      at.page,
      '<img src=x onerror="document.title=1"> ![p](https://evil.example/?q=1) [l](javascript:alert(1))',
    );
    await log(at.page).getByText('<img src=x').waitFor();
    expect(await log(at.page).locator('img, a[href^="javascript"]').count()).toBe(0);
    expect(asked.filter((url) => url.includes('evil'))).toEqual([]);
  });

  it('that can’t be sent stays in its box, says so, and is said once when it can', async () => {
    const port = await freePort();
    await at.server.kill();
    at.server = await serve(at.workspace, port, 'the-same-token');
    await at.page.context().close();
    at.page = await openWindow(at.browser, at.server);
    await openChat(at.page, 'model.py');
    await say(at.page, 'before');
    await at.server.kill();
    await at.page.getByText('Your messages stay here').waitFor();
    await field(at.page).fill('after');
    await field(at.page).press('Enter');
    await at.page.getByRole('alert').getByText('Not sent.').waitFor();
    expect(await field(at.page).inputValue()).toBe('after');
    expect(await violations(at.page)).toEqual([]);
    at.server = await serve(at.workspace, port, 'the-same-token');
    await at.page.getByText('Synced', { exact: true }).waitFor({ timeout: 30_000 });
    await at.page.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => field(at.page).inputValue()).toBe('');
    expect(await log(at.page).getByText('after', { exact: true }).count()).toBe(1);
  });

  it('is found in this file and in all, and is gone to, also when it is far back', async () => {
    for (const number of Array.from({ length: 18 }, (_, index) => index)) {
      const text = number === 0 ? 'the needle' : `hay ${number}\n\n${'more of it\n\n'.repeat(8)}`;
      await post(at.server, 'chats/messages', { document: 'model.py', text });
    }
    await openChat(at.page, 'notes.md');
    await at.page.getByRole('button', { name: 'Search messages' }).click();
    const words = at.page.getByRole('searchbox', { name: 'Search messages' });
    await words.fill('NEEDLE');
    await at.page.getByText('No matches.').waitFor();
    await at.page.getByRole('combobox', { name: 'Search in' }).selectOption('all');
    await at.page.getByRole('button', { name: /the needle/ }).click();
    await editor(at.page, 'model.py').waitFor();
    const found = log(at.page).getByRole('article').filter({ hasText: 'the needle' });
    await expect.poll(() => found.evaluate((element) => element === document.activeElement)).toBe(true);
    await log(at.page).getByText('from a program').first().waitFor();
  });
});

it('a chat hinders nobody, in any theme and width', async () => {
  await openChat(at.page, 'model.py');
  const other = await ben();
  await openFromTree(other, 'model.py');
  await say(at.page, 'Is the loop right, @Ben? See `model.py`.');
  await say(other, 'Yes:\n\n- it ends\n- it is **short**\n\n```py\nprint(1)\n```');
  await say(other, '@root look');
  await other.context().close();
  await log(at.page).getByText('it ends').waitFor();
  for (const width of [1440, 1000, 400]) {
    await resize(at.page, width, 800);
    const hidden = !(await field(at.page).isVisible());
    const show = at.page.getByRole('banner').getByRole('button', { name: /^Show the/ });
    if (hidden) await show.click();
    await log(at.page).getByText('it ends').waitFor();
    await shot(at.page, `chat-${width}`);
    await inBothThemes(at.page);
    await at.page.getByRole('button', { name: 'Search messages' }).click();
    await at.page.getByRole('searchbox', { name: 'Search messages' }).fill('loop');
    await at.page.getByRole('button', { name: /Is the loop right/ }).waitFor();
    await inBothThemes(at.page);
    await at.page.getByRole('button', { name: 'People' }).click();
    await inBothThemes(at.page);
    await shot(at.page, `people-${width}`);
    await at.page.reload();
  }
});

/** Keeps a picture of the window, for whoever wants to look at it. */
async function shot(page: Page, name: string): Promise<void> {
  if (process.env.ASIDE_SHOTS) await page.screenshot({ path: `${process.env.ASIDE_SHOTS}/${name}.png` });
}

describe('the assistant', () => {
  it('is off when somebody says so: it is not there, the chat is, and it comes back at once', async () => {
    await openFromTree(at.page, 'model.py');
    const say = (level?: string) => put(at.server, 'assistant', { level, scope: 'everywhere' });
    await say('off');
    await at.page.getByRole('heading', { name: 'AI is off here' }).waitFor();
    expect(await at.page.getByRole('textbox', { name: 'Message to the assistant' }).count()).toBe(0);
    expect(await violations(at.page)).toEqual([]);
    await shot(at.page, 'ai-off');
    await at.page.getByRole('button', { name: 'Switch to Chat' }).click();
    await field(at.page).waitFor();
    await say();
    await tab(at.page, 'Assistant').click();
    await at.page.getByRole('textbox', { name: 'Message to the assistant' }).waitFor();
  });

  it('forgets a thread that is deleted, after asking, and has it back by Undo', async () => {
    await post(at.server, 'threads', { title: 'Old talk' });
    await at.page.getByRole('button', { name: /^Threads:/ }).click();
    await at.page.getByRole('button', { name: 'Delete Old talk…' }).click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Yes, do it' }).click();
    await at.page.getByRole('button', { name: 'Undo: Deleted Old talk' }).click();
    await at.page.getByText('Undone').first().waitFor();
    await at.page.getByRole('button', { name: /^Threads:/ }).click();
    await at.page.getByRole('button', { name: 'Delete Old talk…' }).waitFor();
    expect(await violations(at.page)).toEqual([]);
  });
});

/** Says something in the place of what was said there. */
async function put(server: { url: string; token: string }, path: string, body: unknown): Promise<void> {
  const headers = { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${server.url}api/v1/${path}`, { method: 'PUT', headers, body: JSON.stringify(body) });
  expect(answer.status, await answer.text()).toBe(200);
}
