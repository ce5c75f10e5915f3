// Less help than full: threads of hints and workspaces that only explain, as a student meets them, also from the
// console of the browser; what a screen reader hears of a turn; formatting, which is a person's own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everywhere, violations } from './axe';
import { eachInWindow } from './each';
import { addressOf, editor, openFromTree, openWindow, post, serve, textOf } from './support';

const MODEL = 'def ht(x):\n    return x\n';
const UGLY = 'fn  main() {}\n';
const WORDS = 'alpha bravo charlie delta echo foxtrot golf hotel india juliet';
const EDIT = { path: 'model.py', edits: [{ old: 'def ht(x):\n', new: 'def height(x):\n' }] };
const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'solve',
      steps: [{ text: 'I do it.', calls: [{ name: 'doc.edit', args: EDIT }] }],
    },
    // What the model hears of a call that it was not given.
    { when: 'is no longer possible', steps: [{ text: 'That is it.' }] },
    { when: 'words', steps: [{ text: WORDS, delay_ms: 20 }] },
  ],
  otherwise: 'Look at line 1.',
};
const at = eachInWindow({
  'model.py': MODEL,
  'main.rs': UGLY,
  'notes.lua': 'print(1)\n',
  '.aside/rehearsal.json': JSON.stringify(REHEARSAL),
});

const log = (page = at.page) => page.getByRole('log', { name: 'Conversation' });
const composer = (page = at.page) => page.getByRole('textbox', { name: 'Message to the assistant' });

async function ask(text: string, page = at.page): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

describe('a thread of hints', () => {
  it('stays one after a reload, in other windows, and whatever the console sends', async () => {
    const thread = await post<{ id: string }>(at.server, 'threads', { title: 'Hint', hint: true });
    const link = await addressOf(at.page, `thread/${thread.id}`);
    const other = await openWindow(at.browser, at.server);
    for (const page of [at.page, other]) {
      await page.goto(link);
      await page.getByText('Hints only').first().waitFor();
    }
    expect(await violations(at.page)).toEqual([]);
    await ask('solve it');
    await log().getByText('That is it.').waitFor();
    const answers = await at.page.evaluate(async (id) => {
      const send = async (method: string, path: string, body: unknown) => {
        const headers = { 'Content-Type': 'application/json' };
        const answer = await fetch(`/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
        return answer.json();
      };
      await send('PATCH', `threads/${id}`, { hint: false });
      await send('PATCH', `threads/${id}`, { mode: 'auto_apply' });
      const again = (await (await fetch('/api/v1/threads')).json()) as { id: string; hint: boolean }[];
      return again.filter((each) => each.id === id).map((each) => each.hint);
    }, thread.id);
    expect(answers).toEqual([true]);
    await other.reload();
    await other.getByText('Hints only').first().waitFor();
    await ask('solve it now', other);
    await expect.poll(() => log(other).getByText('That is it.').count()).toBe(2);
    expect(at.workspace.read('model.py')).toBe(MODEL);
  });
});

describe('a workspace that only explains', () => {
  it('says so, changes nothing, and has nothing that axe finds', async () => {
    at.workspace.write('aside-policy.toml', '[[assistant]]\nlevel = "partial"\n');
    await at.page
      .getByText(/^Explain and hint only/)
      .first()
      .waitFor();
    await openFromTree(at.page, 'model.py');
    await at.page.getByText('The assistant changes and runs nothing.', { exact: false }).waitFor();
    expect(await at.page.getByLabel('Review mode').count()).toBe(0);
    await ask('solve it');
    await log().getByText('That is it.').waitFor();
    expect(await textOf(at.page, 'model.py')).toBe(MODEL);
    await everywhere(at.page);
  });
});

describe('a restriction', () => {
  const level = () => at.page.getByRole('region', { name: 'AI restrictions' });

  it('holds for a time that is shown, chosen and taken back on the page of rules', async () => {
    await at.page.goto(await addressOf(at.page, 'settings/rules'));
    const own = level().getByLabel('For you, in every folder');
    await own.selectOption('Explain and hint only');
    await level().getByLabel('Until').fill('2099-12-01T11:00');
    await level().getByLabel('Until').blur();
    await level()
      .getByText(/^Explain and hint only until .*2099.*, set by you/)
      .waitFor();
    await level().getByLabel('From').fill('2099-11-01T09:00');
    await level().getByLabel('From').blur();
    await level()
      .getByText(/^Full until .*2099/)
      .waitFor();
    await level()
      .getByText(/^Explain and hint only from .*2099.* until .*2099.*, you$/)
      .waitFor();
    expect(await violations(at.page)).toEqual([]);
    await own.selectOption('Full');
    await expect.poll(() => level().getByLabel('Until').count()).toBe(0);
  });

  it('that turns AI off says so and leaves the chat, and axe finds nothing', async () => {
    at.workspace.write('aside-policy.toml', '[[assistant]]\nlevel = "off"\n');
    await openFromTree(at.page, 'model.py');
    await at.page.getByText('AI is off here').waitFor();
    await everywhere(at.page);
  });
});

it('an answer that was stopped is not gone on with while AI is off', async () => {
  await ask('words please');
  await log().getByText('alpha', { exact: false }).first().waitFor();
  await at.page.keyboard.press('Escape');
  const more = log().getByRole('button', { name: 'Continue' });
  await more.waitFor();
  at.workspace.write('aside-policy.toml', '[[assistant]]\nlevel = "off"\n');
  await at.page.getByRole('button', { name: 'View past threads' }).click();
  await log().getByText('Stopped.').waitFor();
  expect(await more.count()).toBe(0);
});

describe('a restriction whose server is gone', () => {
  it('still holds here, and nothing of the assistant is there before it is known again', async () => {
    at.workspace.write('aside-policy.toml', '[[assistant]]\nlevel = "off"\n');
    const off = at.page.getByRole('heading', { name: 'AI is off here' });
    await off.waitFor();
    await at.server.kill();
    await at.page.getByRole('contentinfo').getByText('Offline').waitFor();
    expect([await off.count(), await composer().count()]).toEqual([1, 0]);
    expect(await violations(at.page)).toEqual([]);
    at.server = await serve(at.workspace);
    let answer = () => {};
    const held = new Promise<void>((done) => {
      answer = done;
    });
    const page = await at.page.context().newPage();
    await page.route('**/api/v1/assistant', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${at.server.url}#token=${at.server.token}`);
    await page.getByText('Synced', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Assistant' }).waitFor();
    expect(await composer(page).count()).toBe(0);
    answer();
    await page.getByText('AI is off here').waitFor();
  });

  it('is looked at in the palette too: help is offered as far as AI goes', async () => {
    const offered = async () => {
      await at.page.keyboard.press('Control+k');
      const field = at.page.getByRole('combobox', { name: 'Ask Aside' });
      await field.fill('the problem in this file');
      const found = await at.page.getByRole('option').allTextContents();
      await at.page.keyboard.press('Escape');
      return found.filter((each) => /^(Help me fix|Get a hint about) the problem in this file/.test(each)).length;
    };
    await composer().waitFor();
    await expect.poll(offered).toBe(2);
    at.workspace.write('aside-policy.toml', '[[assistant]]\nlevel = "partial"\n');
    await expect.poll(offered).toBe(1);
  });
});

describe('a screen reader', () => {
  it('hears that a turn began and ended, and no word of the stream', async () => {
    await at.page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      const listen = () => {
        for (const region of document.querySelectorAll('.visually-hidden[aria-live]')) {
          if (region.textContent && heard.at(-1) !== region.textContent) heard.push(region.textContent);
        }
      };
      new MutationObserver(listen).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await ask('words please');
    await log().getByText('juliet', { exact: false }).waitFor();
    const heard = () => at.page.evaluate(() => (window as unknown as { heard: string[] }).heard.join('\n'));
    await expect.poll(heard).toMatch(/Answer ready/);
    expect(await heard()).toMatch(/answering/);
    for (const word of WORDS.split(' ')) expect(await heard()).not.toContain(word);
    expect(await log().getAttribute('aria-live')).toBe('off');
  });
});

describe('formatting', () => {
  it('changes only what differs, is taken back by Ctrl-Z, and says what is missing', async () => {
    await at.page.context().close();
    await at.server.kill();
    const programs = join(at.workspace.home, '.local/bin');
    mkdirSync(programs, { recursive: true });
    writeFileSync(join(programs, 'rustfmt'), "#!/bin/sh\nexec sed 's/fn  */fn /'\n", { mode: 0o755 });
    at.workspace.set('PATH', `${programs}:/usr/bin:/bin`);
    at.server = await serve(at.workspace);
    at.page = await openWindow(at.browser, at.server);
    await openFromTree(at.page, 'main.rs');
    await editor(at.page, 'main.rs').click();
    await at.page.keyboard.press('Shift+Alt+F');
    await expect.poll(() => textOf(at.page, 'main.rs')).toBe('fn main() {}\n');
    await editor(at.page, 'main.rs').press('Control+z');
    await expect.poll(() => textOf(at.page, 'main.rs')).toBe(UGLY);
    await openFromTree(at.page, 'notes.lua');
    await editor(at.page, 'notes.lua').click();
    await at.page.keyboard.press('Shift+Alt+F');
    await at.page.getByText("`notes.lua` can't be formatted: stylua is not installed").first().waitFor();
    expect(await violations(at.page)).toEqual([]);
  });
});
