import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachInWindow } from './each';
import { act, addressOf, editor, frames, openFromTree, openWindow, resize } from './support';

const at = eachInWindow({
  'README.md': '# Tides\n',
  'lib/model.py': Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join('\n'),
  'long.py': `x = [${'1, '.repeat(35)}]\n${'y = 2\n'.repeat(40)}`,
  'plot.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
});

describe('coming in', () => {
  it('takes the token out of the URL', () => {
    expect(at.page.url()).not.toContain('token');
  });

  it('works again from the same browser without the token', async () => {
    await at.page.goto(at.server.url);
    await at.page.getByRole('treeitem', { name: 'README.md' }).waitFor();
  });

  it('asks for the link when there is none', async () => {
    const stranger = await (await at.browser.newContext()).newPage();
    await stranger.goto(at.server.url);
    await stranger.getByRole('heading', { name: 'Open the link printed in the terminal' }).waitFor();
    await stranger.getByLabel('Link or token').fill('wrong');
    await stranger.getByRole('button', { name: 'Open' }).click();
    await stranger.getByText('This link is not valid', { exact: false }).waitFor();
    await stranger.getByLabel('Link or token').fill(`${at.server.url}#token=${at.server.token}`);
    await stranger.getByRole('button', { name: 'Open' }).click();
    await stranger.getByRole('treeitem', { name: 'README.md' }).waitFor();
  });
});

describe('panes', () => {
  it('that open below leave the line of the cursor in sight', async () => {
    await openFromTree(at.page, 'lib/model.py');
    const line = editor(at.page, 'lib/model.py').getByText('line 25', { exact: true });
    await line.click();
    await at.page.keyboard.press('Control+k');
    await at.page.getByRole('dialog').getByRole('combobox').fill('Problems');
    await at.page.getByRole('option', { name: /^Problems/ }).click();
    await at.page.getByRole('heading', { name: 'Problems', exact: true }).waitFor();
    const seen = () =>
      line.evaluate((element) => {
        const [of, within] = [element, element.closest('.cm-scroller') as Element].map((it) =>
          it.getBoundingClientRect(),
        );
        return !!of && !!within && within.height < 600 && of.top >= within.top && of.bottom <= within.bottom;
      });
    await expect.poll(seen).toBe(true);
  });

  it('are as they were when the window is opened again', async () => {
    await openFromTree(at.page, 'README.md');
    await at.page.keyboard.press('Control+\\');
    await expect.poll(() => at.page.getByRole('main').getByRole('tablist').count()).toBe(2);
    await at.page.getByRole('treeitem', { name: 'plot.png' }).click();
    await at.page.getByRole('heading', { name: 'plot.png can’t be shown' }).waitFor();
    // A window reads the layout once, when it opens; the last change may still be on its way then.
    const tabs = async () => {
      const again = await openWindow(at.browser, at.server);
      await again
        .getByRole('heading', { name: /can’t be shown|README/ })
        .first()
        .waitFor();
      const names = await again.getByRole('main').getByRole('tab').allTextContents();
      await again.context().close();
      return names;
    };
    await expect.poll(tabs, { timeout: 10_000 }).toEqual(['README.md', 'README.md', 'plot.png']);
  });

  it('are not lost when another window closes', async () => {
    const idle = await openWindow(at.browser, at.server);
    await editor(idle, 'README.md').waitFor();
    await openFromTree(at.page, 'lib/model.py');
    await at.page.getByRole('treeitem', { name: 'plot.png' }).click();
    await at.page.getByRole('tab', { name: 'plot.png' }).waitFor();
    // Longer than the pause after which an arrangement is kept.
    await at.page.waitForTimeout(600);
    await idle.goto('about:blank');
    await idle.waitForTimeout(300);
    const again = await openWindow(at.browser, at.server);
    await again.getByRole('tab', { name: 'plot.png' }).waitFor();
    expect(await again.getByRole('main').getByRole('tab').allTextContents()).toEqual([
      'README.md',
      'model.py',
      'plot.png',
    ]);
  });

  it('come back all, however late their arrangement arrives', async () => {
    await openFromTree(at.page, 'README.md');
    await openFromTree(at.page, 'lib/model.py');
    await at.page.getByRole('treeitem', { name: 'plot.png' }).click();
    await at.page.getByRole('tab', { name: 'plot.png' }).waitFor();
    await at.page.waitForTimeout(600);
    const url = at.page.url();
    const late = await at.page.context().newPage();
    // The layout is waited for for three seconds.
    await late.routeWebSocket(/connection/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => void setTimeout(() => socket.send(message), 4500));
    });
    await late.goto(url.replace(/f\/.*/, 'f/README.md'));
    const tabs = () => late.getByRole('main').getByRole('tab').allTextContents();
    await expect.poll(tabs, { timeout: 20_000 }).toEqual(['README.md', 'model.py', 'plot.png']);
    await late.close();
    const again = await openWindow(at.browser, at.server);
    await expect.poll(() => again.getByRole('main').getByRole('tab').count()).toBe(3);
  });

  it('show whole lines after a split', async () => {
    await openFromTree(at.page, 'long.py');
    await editor(at.page, 'long.py').click();
    await at.page.keyboard.press('Control+Home');
    const lefts = () =>
      at.page.evaluate(() => [...document.querySelectorAll('.cm-scroller')].map((it) => it.scrollLeft));
    for (const key of ['Control+\\', 'Control+Shift+\\', 'Control+Shift+\\']) {
      await at.page.keyboard.press('End');
      // The editor follows the cursor a frame later.
      await frames(at.page, 3);
      await at.page.evaluate(() => {
        for (const it of document.querySelectorAll('.cm-scroller')) it.scrollLeft = 0;
      });
      await at.page.keyboard.press(key);
      await frames(at.page, 5);
      expect(new Set(await lefts())).toEqual(new Set([0]));
    }
  });

  it('take a tab that is dragged to their edge', async () => {
    await openFromTree(at.page, 'README.md');
    await openFromTree(at.page, 'lib/model.py');
    const tab = await at.page.getByRole('tab', { name: 'model.py' }).boundingBox();
    const main = await at.page.getByRole('main').boundingBox();
    if (!tab || !main) throw new Error('nothing to drag');
    await at.page.mouse.move(tab.x + 20, tab.y + 10);
    await at.page.mouse.down();
    await at.page.mouse.move(main.x + main.width - 40, main.y + main.height / 2, { steps: 4 });
    await at.page.mouse.up();
    await expect.poll(() => at.page.getByRole('main').getByRole('tablist').count()).toBe(2);
    const left = await editor(at.page, 'README.md').boundingBox();
    const right = await editor(at.page, 'lib/model.py').boundingBox();
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0) - 1);
  });

  it('list all tabs where room is short', async () => {
    for (const path of ['README.md', 'lib/model.py', 'long.py']) await openFromTree(at.page, path);
    const all = at.page.getByRole('button', { name: 'All tabs' });
    expect(await all.count()).toBe(0);
    await resize(at.page, 400, 800);
    await all.click();
    await at.page.getByRole('menuitem', { name: 'lib/model.py' }).waitFor();
    expect(await violations(at.page)).toEqual([]);
    await at.page.getByRole('menuitem', { name: 'README.md' }).click();
    await editor(at.page, 'README.md').waitFor();
    await resize(at.page, 1440, 900);
    await expect.poll(() => all.count()).toBe(0);
  });

  it('close with their last tab, and the keyboard goes where something is', async () => {
    await openFromTree(at.page, 'README.md');
    await at.page.keyboard.press('Control+\\');
    await at.page.keyboard.press('Alt+w');
    await expect.poll(() => at.page.getByRole('main').getByRole('tablist').count()).toBe(1);
    await expect
      .poll(() => at.page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Text of README.md');
  });
});

describe('the URL', () => {
  it('names the focused file, and back goes to the one before', async () => {
    await openFromTree(at.page, 'README.md');
    await openFromTree(at.page, 'lib/model.py');
    await expect.poll(() => at.page.url()).toMatch(/\/f\/lib\/model\.py$/);
    await at.page.goBack();
    await editor(at.page, 'README.md').waitFor();
    await expect.poll(() => at.page.url()).toMatch(/\/f\/README\.md$/);
  });

  it('opens a file at a line', async () => {
    const { pathname } = new URL(await addressOf(at.page, 'f/lib/model.py'));
    const other = await openWindow(at.browser, at.server, { path: `${pathname.slice(1)}?line=150` });
    await other.getByText('line 150', { exact: true }).waitFor();
    await other.getByText('Line 150', { exact: true }).waitFor();
  });
});

it('an action opens a file in the window that has the attention', async () => {
  await at.page.bringToFront();
  await act(at.server, 'ui.open', { path: 'lib/model.py', line: 120 });
  await at.page.getByText('line 120', { exact: true }).waitFor();
});

describe('the file list', () => {
  it('makes, renames and deletes, and takes it back', async () => {
    await at.page.getByRole('button', { name: 'New file' }).click();
    await at.page.getByLabel('Name of the new file').fill('notes/today.md');
    await at.page.keyboard.press('Enter');
    await editor(at.page, 'notes/today.md').waitFor();
    await expect.poll(() => at.workspace.has('notes/today.md')).toBe(true);

    await at.page.getByRole('treeitem', { name: 'README.md' }).click();
    await editor(at.page, 'README.md').waitFor();
    await at.page.getByRole('tree').focus();
    await at.page.keyboard.press('F2');
    await at.page.getByLabel('New name for README.md').fill('READ.md');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('treeitem', { name: 'READ.md' }).waitFor();
    await at.page.getByRole('tab', { name: 'READ.md' }).waitFor();
    expect(at.workspace.has('README.md')).toBe(false);

    await at.page.getByRole('tree').focus();
    await at.page.keyboard.press('Delete');
    await at.page.getByRole('dialog').getByRole('button', { name: 'Yes, do it' }).click();
    await expect.poll(() => at.workspace.has('READ.md')).toBe(false);
    await at.page.getByRole('button', { name: 'Undo: Deleted READ.md' }).click();
    await expect.poll(() => at.workspace.has('READ.md')).toBe(true);
  });

  it('is walked with the keyboard', async () => {
    await at.page.getByRole('treeitem', { name: 'lib' }).waitFor();
    await at.page.getByRole('tree').focus();
    await at.page.keyboard.press('l');
    await at.page.keyboard.press('ArrowRight');
    await at.page.getByRole('treeitem', { name: 'model.py' }).waitFor();
    await at.page.keyboard.press('ArrowDown');
    await at.page.keyboard.press('Enter');
    await editor(at.page, 'lib/model.py').waitFor();
  });

  it('shows what another program makes', async () => {
    at.workspace.write('new.txt', 'x');
    await at.page.getByRole('treeitem', { name: 'new.txt' }).waitFor();
  });
});

describe('a narrow window', () => {
  it('opens a file from the drawer and gets the drawer out of the way', async () => {
    const narrow = await openWindow(at.browser, at.server, { viewport: { width: 480, height: 800 } });
    await narrow.getByRole('button', { name: 'Explorer' }).click();
    await narrow.getByRole('treeitem', { name: 'README.md' }).click();
    await editor(narrow, 'README.md').waitFor();
    expect(await narrow.getByRole('dialog').count()).toBe(0);
  });
});

it('a file that became empty is left alone until a person says so', async () => {
  await openFromTree(at.page, 'lib/model.py');
  await at.page.keyboard.press('Control+a');
  await at.page.keyboard.press('Delete');
  await at.page.getByRole('button', { name: 'Save anyway…' }).click();
  expect(at.workspace.read('lib/model.py')).toContain('line 1');
  const dialog = at.page.getByRole('dialog');
  await expect.poll(() => at.page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  await dialog.getByRole('button', { name: 'Yes, do it' }).click();
  await expect.poll(() => at.workspace.read('lib/model.py')).toBe('');
});

it('the first window of a workspace shows its README', async () => {
  await editor(at.page, 'README.md').waitFor();
});

/** Keeps what the window asks for by such a name, until told. */
async function hold(page: Page, name: RegExp): Promise<() => void> {
  let arrive = () => {};
  const held = new Promise<void>((done) => {
    arrive = done;
  });
  await page.route(name, async (route) => {
    await held;
    await route.continue();
  });
  return () => arrive();
}

it('Enter in the palette is kept until it is loaded and knows the files', async () => {
  const page = await (await at.browser.newContext()).newPage();
  const loaded = await hold(page, /\/Palette-[^/]*\.js/);
  const known = await hold(page, /\/files\/names/);
  await page.goto(`${at.server.url}#token=${at.server.token}`);
  await editor(page, 'README.md').click();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('model.py');
  await page.keyboard.press('Enter');
  loaded();
  await page.getByRole('option', { name: /Ask the assistant: model\.py/ }).waitFor();
  known();
  await editor(page, 'lib/model.py').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

it('letters typed into the palette before it is loaded are not lost, and go nowhere else', async () => {
  const page = await (await at.browser.newContext()).newPage();
  const arrive = await hold(page, /\/Palette-[^/]*\.js/);
  await page.goto(`${at.server.url}#token=${at.server.token}`);
  await editor(page, 'README.md').click();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('mod');
  arrive();
  await page.getByRole('option', { name: /model\.py/ }).waitFor();
  await page.keyboard.type('el');
  expect(await page.getByRole('combobox', { name: /^Ask Aside/ }).inputValue()).toBe('model');
  expect(at.workspace.read('README.md')).toBe('# Tides\n');
});

it('a side that could not be loaded says so, and is there once it is tried again', async () => {
  const page = await (await at.browser.newContext()).newPage();
  let broken = true;
  await page.route(/\/Assistant-[^/]*\.js/, (route) => (broken ? route.abort() : route.continue()));
  await page.goto(`${at.server.url}#token=${at.server.token}`);
  const side = page.getByRole('complementary', { name: 'Assistant' });
  await side.getByRole('heading', { name: 'The assistant could not be shown' }).waitFor();
  expect(await violations(page)).toEqual([]);
  broken = false;
  await side.getByRole('button', { name: 'Retry' }).click();
  // Whether a browser asks once more for what it did not get is its own affair.
  const there = side.getByRole('heading', { name: 'No model connected' });
  const reload = side.getByRole('button', { name: 'Reload window' });
  await there.or(reload).waitFor();
  if (await reload.isVisible()) await reload.click();
  await there.waitFor();
});

it('closing a dialog gives the focus back', async () => {
  await openFromTree(at.page, 'README.md');
  for (const key of ['Control+k', 'Control+p']) {
    await at.page.keyboard.press(key);
    await at.page.getByRole('dialog').waitFor();
    await at.page.keyboard.press('Escape');
    await expect
      .poll(() => at.page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Text of README.md');
  }
});

it('F6 walks through the regions', async () => {
  await openFromTree(at.page, 'README.md');
  const regions: (string | undefined)[] = [];
  for (let step = 0; step < 5; step++) {
    await at.page.keyboard.press('F6');
    regions.push(
      await at.page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset.region),
    );
  }
  // Without a problem, a cost or a hidden assistant, the status bar has nothing to press.
  expect(regions).toEqual(['side', 'top', 'nav', 'main', 'side']);
});
