import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachInWindow } from './each';
import { addressOf, editor, openFromTree, openWindow, serve, textOf } from './support';

const MODEL = 'import math\n\n\ndef ht(x):\n    return math.sin(x)\n\n\nprint(ht(1))\nprint(ht(2))\n';
const RENAME = [
  { old: 'def ht(x):\n', new: 'def height(x):\n' },
  { old: 'print(ht(1))\n', new: 'print(height(1))\n' },
  { old: 'print(ht(2))\n', new: 'print(height(2))\n' },
];
const PLOT = 'from model import ht\n\nplot(ht(3))\n';
const BOTH = {
  goal: 'Rename ht in both',
  steps: [
    { action_type: 'doc.edit', args: { path: 'model.py', edits: RENAME.slice(0, 2) } },
    {
      action_type: 'doc.edit',
      args: {
        path: 'plot.py',
        edits: [
          { old: 'from model import ht\n', new: 'from model import height\n' },
          { old: 'plot(ht(3))\n', new: 'plot(height(3))\n' },
        ],
      },
    },
  ],
};
/** The second step is shown over what the first leaves, in which its line is another. */
const TWICE = {
  goal: 'Say what ht is for, and print one less',
  steps: [
    {
      action_type: 'doc.edit',
      args: { path: 'model.py', edits: [{ old: 'def ht(x):\n', new: 'def ht(x):\n    # The height.\n' }] },
    },
    { action_type: 'doc.edit', args: { path: 'model.py', edits: [{ old: 'print(ht(2))\n', new: '' }] } },
  ],
};
const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'both files',
      steps: [{ text: 'In two files.', calls: [{ name: 'task.plan', args: BOTH }] }, { text: 'It waits for you.' }],
    },
    {
      when: 'one file twice',
      steps: [{ text: 'In two steps.', calls: [{ name: 'task.plan', args: TWICE }] }, { text: 'It waits too.' }],
    },
    {
      when: 'rename',
      steps: [
        {
          text: 'I rename it in **three** places.',
          calls: [{ name: 'doc.edit', args: { path: 'model.py', edits: RENAME } }],
        },
        { text: 'That is the rename.' },
      ],
    },
    {
      when: 'delete',
      steps: [
        { text: 'It is not used.', calls: [{ name: 'file.delete', args: { path: 'old.csv' } }] },
        { text: 'Settled.' },
      ],
    },
    { when: 'markup', steps: [{ text: '<img src=x onerror="document.title=1"> ![p](https://evil.example/?q=1)' }] },
    { when: 'forever', steps: [{ text: 'on and on ', delay_ms: 20, endless: true }] },
  ],
  otherwise: 'I only know these.',
};

const at = eachInWindow({
  'model.py': MODEL,
  'plot.py': PLOT,
  'old.csv': 'a,b\n',
  '.aside/rehearsal.json': JSON.stringify(REHEARSAL),
});

const log = () => at.page.getByRole('log', { name: 'Conversation' });
const composer = () => at.page.getByRole('textbox', { name: 'Message to the assistant' });
const changes = () => editor(at.page, 'model.py').getByRole('group', { name: /^Change / });

async function ask(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press('Enter');
}

/** Opens the file and has a rename of three places proposed. */
async function proposeRename(): Promise<void> {
  await openFromTree(at.page, 'model.py');
  await ask('rename ht to height');
  await expect.poll(() => changes().count()).toBe(3);
}

describe('a plan over several files', () => {
  const review = () => at.page.getByRole('region', { name: 'Review', exact: true });
  const plan = () => at.page.getByRole('list', { name: 'Plan' });
  const inPlot = () => editor(at.page, 'plot.py').getByRole('group', { name: /^Change / });

  async function proposeBoth(): Promise<void> {
    await openFromTree(at.page, 'model.py');
    await ask('rewrite both files');
    await expect.poll(() => changes().count()).toBe(2);
    await log().getByText('It waits for you.').waitFor();
  }

  it('is answered change by change with the keys, file after file, and is made once all of it is', async () => {
    await proposeBoth();
    await review().getByText('2 changes proposed by rehearsal').waitFor();
    await at.page.keyboard.press('Alt+]');
    await at.page.keyboard.press('Alt+n');
    await log().getByText('rejected 1 change of step 1: line 4 of model.py', { exact: false }).waitFor();
    await expect.poll(() => changes().count()).toBe(1);
    await at.page.keyboard.press('Alt+y');
    await expect.poll(() => inPlot().count()).toBe(2);
    await expect.poll(() => at.page.evaluate(() => document.activeElement?.className)).toContain('cm-content');
    expect([at.workspace.read('model.py'), at.workspace.read('plot.py')]).toEqual([MODEL, PLOT]);
    await at.page.keyboard.press('Alt+y');
    await inPlot().getByText('Accepted. Applied', { exact: false }).waitFor();
    await review().getByText('1 change proposed by rehearsal').waitFor();
    expect(await violations(at.page)).toEqual([]);
    await at.page.keyboard.press('Alt+y');
    await expect.poll(() => at.workspace.read('plot.py')).toBe(PLOT.replaceAll('ht', 'height'));
    await expect.poll(() => at.workspace.read('model.py')).toBe(MODEL.replace('ht(1)', 'height(1)'));
    await expect.poll(() => inPlot().count()).toBe(0);
  });

  it('shows the changes of two steps in one file where they stand, and is answered there', async () => {
    await openFromTree(at.page, 'model.py');
    await ask('change one file twice');
    await expect.poll(() => changes().count()).toBe(2);
    const names = await changes().evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
    expect(names).toEqual(['Change 1 of 2, line 5', 'Change 2 of 2, line 9']);
    await log().getByText('model.py: 2 of 2 changes left').waitFor();
    await at.page.keyboard.press('Alt+]');
    await at.page.keyboard.press('Alt+y');
    await log().getByText('model.py: 1 of 2 changes left').waitFor();
    expect(at.workspace.read('model.py')).toBe(MODEL);
    await at.page.keyboard.press('Alt+y');
    const made = MODEL.replace('def ht(x):\n', 'def ht(x):\n    # The height.\n').replace('print(ht(2))\n', '');
    await expect.poll(() => at.workspace.read('model.py')).toBe(made);
    await expect.poll(() => changes().count()).toBe(0);
    await expect.poll(() => log().getByText('changes left').count()).toBe(0);
    const done = log().getByRole('region', { name: 'Plan results' });
    await expect.poll(() => done.getByRole('button', { name: 'Undo' }).count()).toBe(2);
    await done.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(() => at.workspace.read('model.py')).toContain('print(ht(2))');
  });

  it('is answered on its page too, says what is left, and keeps what was rejected readable', async () => {
    await proposeBoth();
    await review().getByRole('button', { name: 'Open plan' }).click();
    const step = plan().getByRole('listitem').first();
    await step.getByText('2 of 2 changes left').waitFor();
    await step
      .getByRole('group', { name: /line 8$/ })
      .getByRole('button', { name: 'Reject' })
      .click();
    await step.getByText('Rejected').waitFor();
    await step.getByText('print(height(1))').waitFor();
    await step.getByText('1 of 2 changes left').waitFor();
    await step.getByRole('button', { name: 'Accept' }).click();
    await step.getByText('all 2 changes reviewed').waitFor();
    await at.page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect.poll(() => at.workspace.read('plot.py')).toBe(PLOT.replaceAll('ht', 'height'));
    // Each file is saved by itself, in any order.
    await expect.poll(() => at.workspace.read('model.py')).toBe(MODEL.replace('def ht', 'def height'));
    await step.getByRole('button', { name: /^Step 1 of 2/ }).click();
    await step.getByText('print(height(1))').waitFor();
  });
});

describe('a proposed edit', () => {
  it('is shown in the editor and changes nothing until it is accepted', async () => {
    await proposeRename();
    expect(await textOf(at.page, 'model.py')).toBe(MODEL);
    expect(at.workspace.read('model.py')).toBe(MODEL);
    await at.page.getByRole('region', { name: 'Review' }).getByText('3 changes proposed by rehearsal').waitFor();
    await log().getByText('Approval required because: In this thread you review each edit', { exact: false }).waitFor();
  });

  it('is accepted and rejected change by change, with the keys', async () => {
    await proposeRename();
    await at.page.keyboard.press('Alt+]');
    await at.page.keyboard.press('Alt+y');
    await expect.poll(() => changes().count()).toBe(2);
    await at.page.keyboard.press('Alt+n');
    await expect.poll(() => changes().count()).toBe(1);
    await changes().getByRole('button', { name: 'Accept' }).click();
    await log().getByText('That is the rename.').waitFor();
    const expected = MODEL.replace('def ht', 'def height').replace('ht(2)', 'height(2)');
    expect(await textOf(at.page, 'model.py')).toBe(expected);
    await expect.poll(() => at.workspace.read('model.py')).toBe(expected);
    await log().getByText('done, 2 of 3 changes accepted').waitFor();
  });

  it('is accepted by its button, and taken back by the next key', async () => {
    await proposeRename();
    await changes().first().getByRole('button', { name: 'Accept' }).click();
    await expect.poll(() => textOf(at.page, 'model.py')).toContain('def height(x)');
    await at.page.keyboard.press('Control+z');
    await expect.poll(() => textOf(at.page, 'model.py')).toBe(MODEL);
  });

  it('leaves the keyboard at its card, change by change and as a whole', async () => {
    await proposeRename();
    const focused = () => at.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await log().getByRole('group', { name: 'Change 1 of 3, line 4' }).getByRole('button', { name: 'Reject' }).click();
    await expect.poll(focused).toBe('Change 1 of 3, line 4');
    await log().getByRole('button', { name: 'Accept all' }).click();
    await log().getByText('That is the rename.').waitFor();
    expect(await focused()).toContain('done, 2 of 3 changes accepted');
    await at.page.keyboard.press('Tab');
    expect(await at.page.evaluate(() => document.activeElement?.closest('[role=log]') !== null)).toBe(true);
  });

  it('is taken back from its card as one, and by Ctrl-Z step by step', async () => {
    await proposeRename();
    await at.page.getByRole('region', { name: 'Review' }).getByRole('button', { name: 'Accept all' }).click();
    await log().getByText('That is the rename.').waitFor();
    await log().getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => textOf(at.page, 'model.py')).toBe(MODEL);
    await log().getByRole('button', { name: 'Redo', exact: true }).click();
    await expect.poll(() => textOf(at.page, 'model.py')).toBe(MODEL.replaceAll('ht(', 'height('));
    await editor(at.page, 'model.py').focus();
    await at.page.keyboard.press('Control+z');
    await expect.poll(() => textOf(at.page, 'model.py')).not.toBe(MODEL.replaceAll('ht(', 'height('));
  });

  it('keeps its place while somebody types above it, and is stale when its own lines are typed in', async () => {
    await proposeRename();
    await editor(at.page, 'model.py').press('Control+Home');
    await at.page.keyboard.type('# mine\n');
    await at.page.getByRole('group', { name: 'Change 1 of 3, line 5', exact: true }).waitFor();
    await editor(at.page, 'model.py').locator('.cm-line', { hasText: 'def ht(x)' }).click();
    await at.page.keyboard.type('yy');
    await at.page.getByRole('group', { name: 'Change 1 of 3, line 5, out of date' }).waitFor();
    await changes().first().getByRole('button', { name: 'Refresh' }).waitFor();
    await changes().last().getByRole('button', { name: 'Accept' }).click();
    await expect.poll(() => textOf(at.page, 'model.py')).toContain('print(height(2))');
    expect(await textOf(at.page, 'model.py')).toContain('# mine');
  });

  for (const way of ['button', 'key'] as const) {
    it(`is accepted but for the change that is stale, which is asked for again by its ${way}`, async () => {
      const sent: string[] = [];
      at.page.on('request', (request) => request.url().endsWith('/decision') && sent.push(request.postData() ?? ''));
      await proposeRename();
      await editor(at.page, 'model.py').locator('.cm-line', { hasText: 'def ht(x)' }).click();
      await at.page.keyboard.type('yy');
      const stale = at.page.getByRole('group', { name: /^Change 1 .*, out of date$/ });
      await stale.waitFor();
      await at.page.getByRole('region', { name: 'Review' }).getByRole('button', { name: 'Accept all' }).click();
      await expect.poll(() => changes().count()).toBe(1);
      await expect.poll(() => textOf(at.page, 'model.py')).toContain('print(height(2))');
      expect(await stale.count()).toBe(1);
      if (way === 'button') await stale.getByRole('button', { name: 'Refresh' }).click();
      else {
        await at.page.keyboard.press('Alt+]');
        await at.page.keyboard.press('Alt+y');
      }
      await expect.poll(() => changes().count()).toBe(0);
      await expect.poll(() => sent.at(-1)).toContain('propose the change for the current text');
      await log().getByText('That is the rename.').waitFor();
      expect(await textOf(at.page, 'model.py')).toContain('yy');
    });
  }

  it('still waits after the server was killed and the window closed', async () => {
    await proposeRename();
    await at.page.context().close();
    await at.server.kill();
    at.server = await serve(at.workspace);
    at.page = await openWindow(at.browser, at.server);
    await log().getByText('I rename it in').waitFor();
    await openFromTree(at.page, 'model.py');
    await expect.poll(() => changes().count()).toBe(3);
    await changes().first().getByRole('button', { name: 'Accept' }).click();
    await expect.poll(() => textOf(at.page, 'model.py')).toContain('def height(x):');
  });
});

describe('a destructive action', () => {
  it('asks, says why, and tells the reason of a refusal to the model', async () => {
    await ask('delete the old one');
    const card = log().getByRole('region', { name: /^Delete/ });
    await card.getByRole('button', { name: 'waiting for you destructive' }).waitFor();
    await card.getByRole('button', { name: 'More answers' }).click();
    await at.page.getByRole('menuitem', { name: 'Reject with reason…' }).click();
    await card.getByRole('textbox').fill('I need it');
    await card.getByRole('button', { name: 'Reject' }).click();
    await log().getByText('Settled.').waitFor();
    await card.getByText('rejected').waitFor();
    expect(at.workspace.has('old.csv')).toBe(true);
  });
});

it('a destructive action is pressed twice, and can be taken back', async () => {
  await ask('delete the old one');
  const card = log().getByRole('region', { name: /^Delete/ });
  await card.getByRole('button', { name: 'Accept', exact: true }).click();
  expect(at.workspace.has('old.csv')).toBe(true);
  await card.getByRole('button', { name: 'Really accept' }).click();
  await expect.poll(() => at.workspace.has('old.csv')).toBe(false);
  await card.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => at.workspace.has('old.csv')).toBe(true);
});

describe('an answer', () => {
  it('streams, stops at once, and says so', async () => {
    await ask('go on forever');
    await log().getByText('on and on', { exact: false }).first().waitFor();
    await composer().press('Escape');
    await log().getByText('Stopped.').waitFor();
    await log().getByRole('button', { name: 'Continue' }).waitFor();
  });

  it('loads nothing and runs nothing of what the model wrote', async () => {
    const asked: string[] = [];
    at.page.on('request', (request) => asked.push(request.url()));
    await ask('markup');
    await log().getByText('<img src=x onerror="document.title=1">', { exact: false }).waitFor();
    expect(await log().locator('img').count()).toBe(0);
    expect(asked.filter((url) => url.includes('evil'))).toEqual([]);
  });

  it('is there again when the window is loaded again, and the draft too', async () => {
    await ask('hello');
    await log().getByText('I only know these.').waitFor();
    await composer().fill('half a thought');
    await at.page.reload();
    await log().getByText('I only know these.').waitFor();
    expect(await composer().inputValue()).toBe('half a thought');
  });
});

describe('the side', () => {
  it('is there also where a proxy lets no lasting connection through', async () => {
    const page = await at.browser.newPage();
    await page.routeWebSocket('**/api/v1/connection', (socket) => void socket.close());
    await page.goto(`${at.server.url}#token=${at.server.token}`);
    await page.getByRole('textbox', { name: 'Message to the assistant' }).waitFor();
    await page.close();
  });

  it('has the keyboard at once when it is gone to, also from the chat', async () => {
    await openFromTree(at.page, 'model.py');
    for (const mode of ['Assistant', 'Chat']) {
      await at.page.getByRole('tab', { name: mode }).click();
      await editor(at.page, 'model.py').click();
      const name = await at.page.evaluate(() => {
        const key = new KeyboardEvent('keydown', { key: 'j', code: 'KeyJ', ctrlKey: true, bubbles: true });
        document.activeElement?.dispatchEvent(key);
        return document.activeElement?.getAttribute('aria-label');
      });
      expect(name).toBe('Message to the assistant');
    }
  });

  it('renames, archives and finds threads', async () => {
    await ask('hello one');
    await log().getByText('I only know these.').waitFor();
    await at.page.getByRole('button', { name: 'New thread', exact: true }).click();
    await ask('hello two');
    await at.page.getByRole('button', { name: 'Threads: hello two' }).click();
    const list = at.page.getByRole('dialog', { name: 'Threads' });
    await list.getByRole('button', { name: 'Rename hello one' }).click();
    await list.getByRole('textbox', { name: 'Title' }).fill('First');
    await at.page.keyboard.press('Enter');
    await list.getByRole('button', { name: 'Archive First' }).waitFor();
    const hasKeys = () => list.evaluate((dialog) => dialog.contains(document.activeElement));
    await expect.poll(hasKeys).toBe(true);
    await list.getByRole('searchbox').fill('fir');
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
    await list.getByRole('button', { name: 'Archive First' }).click();
    await list.getByText('No matches.').waitFor();
    await expect.poll(hasKeys).toBe(true);
    await at.page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
  });

  it('puts away what is done and begins afresh, from the head and from the palette, and takes it back', async () => {
    await ask('hello one');
    await log().getByText('I only know these.').waitFor();
    await at.page.getByRole('button', { name: 'Archive thread' }).click();
    await at.page.getByRole('button', { name: 'Threads: New thread' }).waitFor();
    await expect.poll(() => composer().evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await at.page.getByRole('button', { name: 'Archive thread' }).count()).toBe(0);
    const put = async () => {
      const threads = await at.page.evaluate(async () => (await fetch('/api/v1/threads')).json());
      return threads.map(({ title, archived }: { title: string; archived: boolean }) => `${title} ${archived}`);
    };
    expect(await put()).toEqual(['hello one true']);
    await at.page.getByRole('button', { name: /^Undo: Archived/ }).click();
    await log().getByText('hello one').waitFor();
    expect(await put()).toEqual(['hello one false']);
    await at.page.keyboard.press('Control+k');
    await at.page.getByRole('combobox', { name: 'Ask Aside' }).fill('archive this thread');
    await at.page.getByRole('option', { name: /^Archive this thread/ }).click();
    await expect.poll(put).toEqual(['hello one true']);
    await at.page.getByRole('button', { name: 'Threads: New thread' }).waitFor();
  });

  it('shows the thread that a link names, and says so if there is none', async () => {
    await ask('hello one');
    await log().getByText('I only know these.').waitFor();
    const [one] = await at.page.evaluate(async () => (await fetch('/api/v1/threads')).json());
    await at.page.getByRole('button', { name: 'New thread', exact: true }).click();
    const link = await addressOf(at.page, `thread/${one.id}`);
    await at.page.goto(link);
    await log().getByText('hello one').waitFor();
    expect(await violations(at.page)).toEqual([]);
    await at.page.getByRole('button', { name: 'Show in side panel' }).click();
    await at.page.getByRole('button', { name: 'Full page' }).click();
    expect(at.page.url()).toBe(link);
    await at.page.goto(link.replace(one.id, 'thr_01m801fn6xcaa8x0s7pmz34zzz'));
    await at.page.getByText('The linked thread is not in this workspace.').first().waitFor();
    expect(await log().getByRole('article').count()).toBe(0);
  });

  it('asks from the palette', async () => {
    await at.page.keyboard.press('Control+k');
    await at.page.getByRole('combobox', { name: 'Ask Aside' }).waitFor();
    await at.page.keyboard.type('what can you do here?');
    await at.page.keyboard.press('Enter');
    const panel = at.page.getByRole('region', { name: 'Quick task' });
    await panel.getByText('I only know these.').waitFor();
    expect(await log().getByText('I only know these.').count()).toBe(0);
    await panel.getByRole('button', { name: 'Open as thread' }).click();
    await log().getByText('I only know these.').waitFor();
  });
});

describe('what was done', () => {
  it('is listed with who answered, can be taken back from there, and is whole', async () => {
    await proposeRename();
    await at.page.getByRole('region', { name: 'Review' }).getByRole('button', { name: 'Accept all' }).click();
    await log().getByText('That is the rename.').waitFor();
    await at.page.getByRole('button', { name: 'Activity log' }).click();
    const rows = at.page.getByRole('list', { name: 'Actions, Today' });
    await rows.getByRole('button', { name: /doc\.edit.*approved by/ }).click();
    await rows.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => at.workspace.read('model.py')).toBe(MODEL);
    await at.page.getByRole('button', { name: 'Verify' }).click();
    await at.page.getByText('none changed or removed', { exact: false }).first().waitFor();
  });
});
