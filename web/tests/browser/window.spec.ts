import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { act, editor, launch, openFromTree, openWindow, type Server, serve, Workspace } from './support';

let browser: Browser;
let workspace: Workspace;
let server: Server;
let page: Page;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  workspace = new Workspace({
    'README.md': '# Tides\n',
    'lib/model.py': Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join('\n'),
    'plot.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
  });
  server = await serve(workspace);
  page = await openWindow(browser, server);
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await server.kill();
  workspace.remove();
});

describe('coming in', () => {
  it('takes the token out of the URL', () => {
    expect(page.url()).not.toContain('token');
  });

  it('works again from the same browser without the token', async () => {
    await page.goto(server.url);
    await page.getByRole('treeitem', { name: 'README.md' }).waitFor();
  });

  it('asks for the link when there is none', async () => {
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(server.url);
    await stranger.getByRole('heading', { name: 'Open Aside with its link' }).waitFor();
    await stranger.getByLabel('Link or token').fill('wrong');
    await stranger.getByRole('button', { name: 'Open' }).click();
    await stranger.getByText('That link is not valid now', { exact: false }).waitFor();
    await stranger.getByLabel('Link or token').fill(`${server.url}#token=${server.token}`);
    await stranger.getByRole('button', { name: 'Open' }).click();
    await stranger.getByRole('treeitem', { name: 'README.md' }).waitFor();
  });
});

describe('panes', () => {
  it('are as they were when the window is opened again', async () => {
    await openFromTree(page, 'README.md');
    await page.keyboard.press('Control+\\');
    await expect.poll(() => page.getByRole('tablist').count()).toBe(2);
    await page.getByRole('treeitem', { name: 'plot.png' }).click();
    await page.getByRole('heading', { name: 'plot.png is not a text file' }).waitFor();
    // A window reads the layout once, when it opens; the last change may still be on its way then.
    const tabs = async () => {
      const again = await openWindow(browser, server);
      await again
        .getByRole('heading', { name: /is not a text file|README/ })
        .first()
        .waitFor();
      const names = await again.getByRole('tab').allTextContents();
      await again.context().close();
      return names;
    };
    await expect.poll(tabs, { timeout: 10_000 }).toEqual(['README.md', 'README.md', 'plot.png']);
  });

  it('take a tab that is dragged to their edge', async () => {
    await openFromTree(page, 'README.md');
    await openFromTree(page, 'lib/model.py');
    const tab = await page.getByRole('tab', { name: 'model.py' }).boundingBox();
    const main = await page.getByRole('main').boundingBox();
    if (!tab || !main) throw new Error('nothing to drag');
    await page.mouse.move(tab.x + 20, tab.y + 10);
    await page.mouse.down();
    await page.mouse.move(main.x + main.width - 40, main.y + main.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => page.getByRole('tablist').count()).toBe(2);
    const left = await editor(page, 'README.md').boundingBox();
    const right = await editor(page, 'lib/model.py').boundingBox();
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0) - 1);
  });

  it('close with their last tab, and the keyboard goes where something is', async () => {
    await openFromTree(page, 'README.md');
    await page.keyboard.press('Control+\\');
    await page.keyboard.press('Alt+w');
    await expect.poll(() => page.getByRole('tablist').count()).toBe(1);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Text of README.md');
  });
});

describe('the URL', () => {
  it('names the focused file, and back goes to the one before', async () => {
    await openFromTree(page, 'README.md');
    await openFromTree(page, 'lib/model.py');
    await expect.poll(() => page.url()).toMatch(/\/f\/lib\/model\.py$/);
    await page.goBack();
    await editor(page, 'README.md').waitFor();
    await expect.poll(() => page.url()).toMatch(/\/f\/README\.md$/);
  });

  it('opens a file at a line', async () => {
    const name = new URL(page.url()).pathname.split('/')[2];
    const other = await openWindow(browser, server, { path: `w/${name}/f/lib/model.py?line=150` });
    await other.getByText('line 150', { exact: true }).waitFor();
    await other.getByText('Line 150', { exact: true }).waitFor();
  });
});

it('an action opens a file in the window that has the attention', async () => {
  await page.bringToFront();
  await act(server, 'ui.open', { path: 'lib/model.py', line: 120 });
  await page.getByText('line 120', { exact: true }).waitFor();
});

describe('the file list', () => {
  it('makes, renames and deletes, and takes it back', async () => {
    await page.getByRole('button', { name: 'New file' }).click();
    await page.getByLabel('Name of the new file').fill('notes/today.md');
    await page.keyboard.press('Enter');
    await editor(page, 'notes/today.md').waitFor();
    await expect.poll(() => workspace.has('notes/today.md')).toBe(true);

    await page.getByRole('treeitem', { name: 'README.md' }).click();
    await page.getByRole('tree').focus();
    await page.keyboard.press('F2');
    await page.getByLabel('New name of README.md').fill('READ.md');
    await page.keyboard.press('Enter');
    await page.getByRole('treeitem', { name: 'READ.md' }).waitFor();
    await page.getByRole('tab', { name: 'READ.md' }).waitFor();
    expect(workspace.has('README.md')).toBe(false);

    await page.getByRole('tree').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Yes, do it' }).click();
    await expect.poll(() => workspace.has('READ.md')).toBe(false);
    await page.getByRole('button', { name: 'Undo: Deleted READ.md' }).click();
    await expect.poll(() => workspace.has('READ.md')).toBe(true);
  });

  it('is walked with the keyboard', async () => {
    await page.getByRole('treeitem', { name: 'lib' }).waitFor();
    await page.getByRole('tree').focus();
    await page.keyboard.press('l');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: 'model.py' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await editor(page, 'lib/model.py').waitFor();
  });

  it('shows what another program makes', async () => {
    workspace.write('new.txt', 'x');
    await page.getByRole('treeitem', { name: 'new.txt' }).waitFor();
  });
});

describe('a narrow window', () => {
  it('opens a file from the drawer and gets the drawer out of the way', async () => {
    const narrow = await openWindow(browser, server, { viewport: { width: 480, height: 800 } });
    await narrow.getByRole('button', { name: 'Files' }).click();
    await narrow.getByRole('treeitem', { name: 'README.md' }).click();
    await editor(narrow, 'README.md').waitFor();
    expect(await narrow.getByRole('dialog').count()).toBe(0);
  });
});

it('a file that became empty is left alone until a person says so', async () => {
  await openFromTree(page, 'lib/model.py');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Save anyway…' }).click();
  expect(workspace.read('lib/model.py')).toContain('line 1');
  const dialog = page.getByRole('dialog');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  await dialog.getByRole('button', { name: 'Yes, do it' }).click();
  await expect.poll(() => workspace.read('lib/model.py')).toBe('');
});

it('the first window of a workspace shows its README', async () => {
  await editor(page, 'README.md').waitFor();
});

it('closing a dialog gives the focus back', async () => {
  await openFromTree(page, 'README.md');
  for (const key of ['Control+k', 'Control+p']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Text of README.md');
  }
});

it('F6 walks through the regions', async () => {
  await openFromTree(page, 'README.md');
  const regions: (string | undefined)[] = [];
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press('F6');
    regions.push(
      await page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset.region),
    );
  }
  expect(regions).toEqual(['side', 'status', 'top', 'nav', 'main']);
});
