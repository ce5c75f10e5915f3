// Asking Aside from the top bar, the palette and the launcher: what is understood, and the quick task panel that shows it.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { everywhere, violations } from './axe';
import { eachInWindow, eachWithModels } from './each';
import { editor, openFromTree, resize } from './support';

const lookUp = (name: string) => ({ name: 'catalog.describe', args: { name } });
const run = (action_type: string, args: object) => ({ name: 'action_run', args: { action_type, args } });

const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'tidy',
      steps: [
        { text: 'First I look.', calls: [lookUp('file.list'), run('file.list', {})] },
        {
          text: 'Then I write.',
          calls: [lookUp('file.create'), run('file.create', { path: 'tidy.md', text: 'tidy\n' })],
        },
        { text: 'All is **tidy** now.' },
      ],
    },
    {
      when: 'port',
      steps: [
        {
          text: '',
          calls: [
            {
              name: 'hand_off',
              args: { reason: 'it needs many edits', summary: 'Port model.py to Rust.', paths: ['lib/model.py'] },
            },
          ],
        },
      ],
    },
    {
      when: 'look around',
      steps: Array(11).fill({ text: 'I look again.', calls: [{ name: 'catalog.search', args: { query: 'files' } }] }),
    },
    { when: 'last step', steps: [{ text: 'Left: open the report.' }] },
    { when: 'continue', steps: [{ text: 'The report is open.' }] },
    { when: 'forever', steps: [{ text: 'on and on ', delay_ms: 20, endless: true }] },
  ],
  otherwise: 'I only know these.',
};

const FILES = { 'README.md': '# Tides\n', 'lib/model.py': 'x = 1\n', 'old.csv': 'a,b\n' };

const field = (page: Page) => page.getByRole('combobox', { name: /^Ask Aside/ });
const panel = (page: Page) => page.getByRole('region', { name: 'Quick task' });

/** Types a sentence into the palette. */
async function say(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await field(page).fill(text);
}

/** Types a sentence, waits until its first row is there, and presses Enter. */
async function ask(page: Page, text: string, row: RegExp | string): Promise<void> {
  await say(page, text);
  await page.getByRole('option', { name: row, selected: true }).waitFor();
  // A press right after the rows have changed means the rows from before.
  await page.waitForTimeout(400);
  await page.keyboard.press('Enter');
}

/** Presses the key of an answer once the card takes it. */
async function answer(page: Page, key: string, done: () => boolean): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press(key);
      return done();
    })
    .toBe(true);
}

describe('without a model', () => {
  const at = eachInWindow(FILES);

  it('an effect shows its card before it runs', async () => {
    await openFromTree(at.page, 'README.md');
    await ask(at.page, 'rename old.csv to new.csv', /old\.csv.*write/);
    await panel(at.page).getByText('waiting for you').waitFor();
    expect(at.workspace.has('old.csv')).toBe(true);
    await everywhere(at.page);
    await answer(at.page, 'Alt+y', () => at.workspace.has('new.csv'));
    await panel(at.page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => at.workspace.has('old.csv')).toBe(true);
    await panel(at.page).getByRole('button', { name: 'Open as thread' }).click();
    const draft = at.page.getByRole('textbox', { name: 'Message to the assistant' });
    await expect.poll(() => draft.inputValue()).toContain('I asked Aside: rename old.csv to new.csv');
    expect(await panel(at.page).count()).toBe(0);
  });

  it('a rejected sentence changes nothing', async () => {
    await openFromTree(at.page, 'README.md');
    await ask(at.page, 'rename old.csv to new.csv', /old\.csv/);
    await panel(at.page).getByText('waiting for you').waitFor();
    await at.page.keyboard.press('Alt+n');
    await panel(at.page).getByText('cancelled', { exact: true }).waitFor();
    await at.page.keyboard.press('Escape');
    await panel(at.page).waitFor({ state: 'detached' });
    expect([at.workspace.has('old.csv'), at.workspace.has('new.csv')]).toEqual([true, false]);
  });

  it('a sentence for a model offers akin actions', async () => {
    await ask(at.page, 'let my colleague edit the paper with me', /^Ask the assistant.*no model connected/);
    await panel(at.page).getByText('This sentence needs a model').waitFor();
    await panel(at.page).getByRole('button', { name: 'Invite a guest' }).click();
    await expect.poll(() => field(at.page).inputValue()).toMatch(/^invite/);
    expect(await panel(at.page).count()).toBe(0);
  });

  it('a read answers at once', async () => {
    await ask(at.page, 'what is in lib?', /lib.*read/);
    await panel(at.page).getByText('model.py').waitFor();
  });

  /** Holds the answer about a sentence back; the returned function lets it go. */
  async function heldBack(text: string): Promise<() => void> {
    let answer = () => {};
    const held = new Promise<void>((done) => {
      answer = done;
    });
    await at.page.route('**/api/v1/ask/route', async (route) => {
      await held;
      const { window } = route.request().postDataJSON();
      await route.fallback({ postData: JSON.stringify({ text, window }) });
    });
    return answer;
  }

  it('a late row is chosen if nothing moves', async () => {
    const answer = await heldBack('delete old.csv');
    await say(at.page, 'model');
    await at.page.getByRole('option', { name: /^model\.py/, selected: true }).waitFor();
    answer();
    await at.page.getByRole('option', { name: /^Delete old\.csv.*deletes/, selected: true }).waitFor();
    await at.page.waitForTimeout(500);
    await at.page.keyboard.press('Enter');
    await panel(at.page).getByText('waiting for you').waitFor();
  });

  it('words mean the parts of the window', async () => {
    const tree = at.page.getByRole('tree');
    await tree.waitFor();
    await ask(at.page, 'toggle the sidebar', /^Hide the list of files/);
    await tree.waitFor({ state: 'hidden' });
    await ask(at.page, 'toggle the sidebar', /^Show the list of files/);
    await tree.waitFor();
    const size = () => at.page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
    const before = Number.parseFloat(await size());
    await ask(at.page, 'zoom to 150%', /^Set the text size to 150 %/);
    await expect.poll(async () => Number.parseFloat(await size())).toBe(before * 1.5);
    // Menus stay at their buttons.
    await at.page.getByRole('treeitem', { name: 'old.csv' }).click({ button: 'right' });
    const menu = await at.page.getByRole('menu').boundingBox();
    const row = await at.page.getByRole('treeitem', { name: 'old.csv' }).boundingBox();
    expect(Math.abs((menu?.y ?? 0) - (row?.y ?? 0))).toBeLessThan(80);
    await everywhere(at.page);
  });

  it('sentences are counted without their words', async () => {
    await ask(at.page, 'toggle the sidebar', /^Hide the list of files/);
    await ask(at.page, 'statistics', /^Go to statistics/);
    const page = at.page.getByRole('tabpanel', { name: 'Statistics' });
    await page.getByText('100 %').first().waitFor();
    await page.getByText('ui.layout').waitFor();
    await everywhere(at.page);
    await page.getByRole('button', { name: 'Delete the counts of sentences' }).click();
    await page.getByRole('button', { name: 'Really delete the counts of sentences' }).click();
    await page.getByText('ui.layout').waitFor({ state: 'detached' });
  });

  it('the coverage is searched', async () => {
    await ask(at.page, 'coverage', /^Coverage of actions|^Go to coverage/);
    const page = at.page.getByRole('tabpanel', { name: 'Coverage' });
    await page.getByRole('searchbox').fill('close tab');
    await page
      .getByRole('row', { name: /^Close tab/ })
      .getByText('ui.tabs.close')
      .waitFor();
    await everywhere(at.page);
  });

  it('the panel names what needs a model', async () => {
    await ask(at.page, 'why is the sea salty?', /^Ask the assistant.*no model connected/);
    await panel(at.page).getByText('This sentence needs a model', { exact: false }).waitFor();
    expect(await violations(at.page)).toEqual([]);
    await panel(at.page).getByRole('button', { name: 'go to tasks' }).click();
    await at.page.getByRole('option', { name: /window$/ }).click();
    await at.page.getByRole('heading', { name: 'Tasks', exact: true }).waitFor();
  });

  it('an action with arguments begins its sentence', async () => {
    await ask(at.page, 'duplicate', /^Copy a file or folder/);
    await expect.poll(() => field(at.page).inputValue()).toMatch(/^\w+.* $/);
  });
});

describe('the launcher', () => {
  const at = eachInWindow(FILES);

  it('the launcher makes way for a recent file', async () => {
    await openFromTree(at.page, 'lib/model.py');
    await openFromTree(at.page, 'README.md');
    await at.page.getByRole('button', { name: 'New tab' }).click();
    const launcher = at.page.getByRole('tabpanel', { name: 'New tab' });
    const start = launcher.getByRole('button', { name: 'Describe what you want to do' });
    await expect.poll(() => start.evaluate((button) => button === document.activeElement)).toBe(true);
    await everywhere(at.page);
    await at.page.keyboard.press('r');
    await expect.poll(() => field(at.page).inputValue()).toBe('r');
    await at.page.keyboard.press('Escape');
    await launcher.getByRole('button', { name: 'model.py' }).click();
    await editor(at.page, 'lib/model.py').waitFor();
    await launcher.waitFor({ state: 'detached' });
  });

  it('the top bar is an icon at 400 pixels', async () => {
    await resize(at.page, 400, 800);
    const button = at.page.getByRole('banner').getByRole('button', { name: 'Ask Aside…' });
    expect((await button.boundingBox())?.width).toBeLessThan(40);
    await button.click();
    await field(at.page).waitFor();
    expect(await violations(at.page)).toEqual([]);
  });
});

describe('with a model', () => {
  const at = eachInWindow({ ...FILES, '.aside/rehearsal.json': JSON.stringify(REHEARSAL) });

  it('a question becomes a timeline, then a thread', async () => {
    await ask(at.page, 'tidy up here please', /^Ask the assistant/);
    const timeline = panel(at.page).getByRole('list', { name: 'Timeline' });
    await timeline.getByText('First I look.').waitFor();
    await timeline.getByText('waiting for you').waitFor();
    await answer(at.page, 'Alt+y', () => at.workspace.has('tidy.md'));
    await panel(at.page).getByText('All is tidy now.').waitFor();
    await expect.poll(() => timeline.getByText('Execute').count()).toBe(4);
    await panel(at.page).getByText('Debug view').click();
    await panel(at.page).getByText('Planner output (3 steps)').waitFor();
    await panel(at.page).getByText('Catalog calls (2)').waitFor();
    await panel(at.page).getByText('Envelopes (2)').waitFor();
    expect(at.workspace.read('tidy.md')).toBe('tidy\n');
    await everywhere(at.page);
    await panel(at.page).getByRole('button', { name: 'Open as thread' }).click();
    const log = at.page.getByRole('log', { name: 'Conversation' });
    await log.getByText('All is tidy now.').waitFor();
  });

  it('used up budget says what is left', async () => {
    await ask(at.page, 'look around here a lot', /^Ask the assistant/);
    await panel(at.page)
      .getByText('Stopped at the limit of 12 steps: 0 done, left: open the report.', { exact: false })
      .waitFor();
    await everywhere(at.page);
    await panel(at.page).getByRole('button', { name: 'Continue' }).click();
    await panel(at.page).getByText('The report is open.').waitFor();
  });

  it('handed over work begins a full thread', async () => {
    await ask(at.page, 'port the whole thing to Rust', /^Ask the assistant/);
    await panel(at.page).getByText('Needs the coding agent: it needs many edits', { exact: false }).waitFor();
    await panel(at.page).getByRole('button', { name: 'Continue with the coding agent' }).click();
    const draft = at.page.getByRole('textbox', { name: 'Message to the assistant' });
    await expect.poll(() => draft.inputValue()).toContain('Port model.py to Rust.\n\nFiles: @lib/model.py');
  });

  it('an endless answer is stopped', async () => {
    await ask(at.page, 'go on forever and ever', /^Ask the assistant/);
    await panel(at.page).getByText('on and on', { exact: false }).first().waitFor();
    await panel(at.page).getByRole('button', { name: 'Stop' }).click();
    await panel(at.page).getByText('Stopped.', { exact: false }).waitFor();
  });
});

describe('voice', () => {
  const at = eachInWindow(FILES);

  it('spoken words appear in the field first', async () => {
    await at.page.addInitScript(() => {
      class Fake {
        onresult: ((event: object) => void) | null = null;
        onerror: ((event: object) => void) | null = null;
        onend: (() => void) | null = null;
        start() {
          const refused = sessionStorage.getItem('refused') !== null;
          if (refused) this.onerror?.({ error: 'not-allowed' });
          else this.onresult?.({ results: [[{ transcript: 'split right' }]] });
          if (refused) setTimeout(() => this.onend?.());
        }
        stop() {
          setTimeout(() => this.onend?.());
        }
        abort() {}
      }
      Object.assign(window, { SpeechRecognition: Fake });
    });
    await at.page.reload();
    await at.page.getByText('Synced', { exact: true }).waitFor();
    await at.page.keyboard.press('Control+k');
    const button = at.page.getByRole('button', { name: 'Hold to talk' });
    await button.hover();
    await at.page.mouse.down();
    await at.page.getByText('Listening', { exact: false }).waitFor();
    await at.page.mouse.up();
    expect(await field(at.page).inputValue()).toBe('split right');
    await at.page.getByRole('option', { name: /^Split right/, selected: true }).waitFor();
    expect(await at.page.getByRole('main').getByRole('tablist').count()).toBe(1);
    await at.page.evaluate(() => sessionStorage.setItem('refused', 'yes'));
    await button.hover();
    await at.page.mouse.down();
    await at.page.getByText('The browser refused the microphone', { exact: false }).last().waitFor();
    await at.page.mouse.up();
    expect(await violations(at.page)).toEqual([]);
  });
});

describe('voice by a model', () => {
  const at = eachWithModels({
    files: FILES,
    settings: ({ port }) => ({ OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` }),
  });

  it('a recording is written down into the field', async () => {
    await at.page.addInitScript(() => {
      // A browser without a recogniser, and a microphone that hears a tone.
      Reflect.deleteProperty(window, 'webkitSpeechRecognition');
      Reflect.deleteProperty(window, 'SpeechRecognition');
      navigator.mediaDevices.getUserMedia = async () => {
        if (sessionStorage.getItem('refused')) throw new DOMException('no', 'NotAllowedError');
        const context = new AudioContext();
        const tone = context.createOscillator();
        const heard = context.createMediaStreamDestination();
        tone.connect(heard);
        tone.start();
        return heard.stream;
      };
    });
    await at.page.reload();
    await at.page.getByText('Synced', { exact: true }).waitFor();
    await at.page.keyboard.press('Control+k');
    const button = at.page.getByRole('button', { name: 'Hold to talk' });
    await button.hover();
    await at.page.mouse.down();
    await at.page.getByText('Recording.', { exact: false }).waitFor();
    await at.page.waitForTimeout(600);
    await at.page.mouse.up();
    await expect.poll(() => field(at.page).inputValue()).toBe('split right');
    await at.page.getByRole('option', { name: /^Split right/, selected: true }).waitFor();
    expect(await at.page.getByRole('main').getByRole('tablist').count()).toBe(1);
    expect(await violations(at.page)).toEqual([]);
    await at.page.evaluate(() => sessionStorage.setItem('refused', 'yes'));
    await button.hover();
    await at.page.mouse.down();
    await at.page.getByText('The browser refused the microphone', { exact: false }).last().waitFor();
    await at.page.mouse.up();
  });
});
