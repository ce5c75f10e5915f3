import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everywhere } from './axe';
import { eachOn } from './each';
import { launch, openWindow, type Server, serve, Workspace } from './support';

let browser: Browser;
let workspace: Workspace;
let server: Server;

beforeAll(async () => {
  workspace = new Workspace({
    'README.md': '# Tides\n\nSome *text* with `code`.\n',
    'lib/model.py':
      '"""Doc."""\nimport math\n\n\ndef tide(t: float) -> float:\n    # a comment\n    return math.sin(t) * 0.5\n',
    'plot.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
  });
  [browser, server] = await Promise.all([launch(), serve(workspace)]);
});
afterAll(async () => {
  await browser.close();
  await server.kill();
  workspace.remove();
});

const ROUTES: Record<string, string> = {
  workspace: '',
  file: '/f/lib/model.py',
  'not a text': '/f/plot.png',
  audit: '/audit',
  'needs you': '/needs-you',
  tasks: '/tasks',
  models: '/settings/models',
  rules: '/settings/rules',
  access: '/settings/access',
  'other programs': '/settings/programs',
  'AI history': '/history',
};

it.each(Object.entries(ROUTES))('%s has nothing that axe finds', async (_, route) => {
  const page = await openWindow(browser, server, { path: `w/x${route}` });
  await page.waitForLoadState('networkidle');
  await everywhere(page);
  await page.context().close();
});

describe('a workspace without files', () => {
  const at = eachOn({});

  it('has nothing that axe finds, and keeps the keyboard where its first file is named', async () => {
    const page = await openWindow(at.browser, at.server);
    await page.getByText('This folder is empty.').waitFor();
    const make = page.getByRole('navigation').getByRole('button', { name: 'New file' });
    await everywhere(page);
    const isIn = (role: 'group' | 'tree') =>
      page.getByRole(role, { name: 'Files' }).evaluate((list) => list === document.activeElement);
    await make.click();
    await page.keyboard.press('Escape');
    await expect.poll(() => isIn('group')).toBe(true);
    await make.click();
    await page.keyboard.type('first.txt');
    await page.keyboard.press('Enter');
    await page.getByRole('tree', { name: 'Files' }).getByRole('treeitem', { name: 'first.txt' }).waitFor();
  });
});

it('axe finds nothing in ways to a model', async () => {
  const page = await openWindow(browser, server);
  await page.keyboard.press('Control+j');
  const ways = page.getByRole('heading', { name: 'No model connected' });
  await ways.waitFor();
  await everywhere(page, ways);
  await page.context().close();
});

it('overlays have nothing that axe finds', async () => {
  const page = await openWindow(browser, server);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('e');
  await everywhere(page);
  await page.context().close();
});
