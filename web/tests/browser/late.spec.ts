// What is shown while something does not come: a part of the window, a thread, the server.
import { expect, it } from 'vitest';
import { violations } from './axe';
import { eachOn } from './each';
import { editor, openFromTree, openWindow } from './support';

const REHEARSAL = { name: 'tests', replies: [], otherwise: 'I only know these.' };
const at = eachOn({
  'model.py': 'x = 0\n',
  'words.txt': 'plain\n',
  '.aside/rehearsal.json': JSON.stringify(REHEARSAL),
});

it('an assistant that does not come says so, and is there when the window is loaded again', async () => {
  const page = await openWindow(at.browser, at.server);
  let late = true;
  // Nobody answers.
  await page.route(/\/Assistant-[\w-]+\.js$/, (route) => (late ? undefined : route.continue()));
  await page.reload();
  const notice = page.getByRole('heading', { name: 'The assistant is not ready yet' });
  await notice.waitFor({ timeout: 15_000 });
  expect(await violations(page)).toEqual([]);
  late = false;
  await page.getByRole('button', { name: 'Reload window' }).click();
  await page.getByRole('textbox', { name: 'Message to the assistant' }).waitFor();
});

it('a thread says that it is being read until it is there', async () => {
  const page = await openWindow(at.browser, at.server);
  const composer = page.getByRole('textbox', { name: 'Message to the assistant' });
  await composer.fill('hello');
  await composer.press('Enter');
  const log = page.getByRole('log', { name: 'Conversation' });
  await log.getByText('I only know these.').waitFor();
  let answer = () => {};
  const held = new Promise<void>((done) => {
    answer = done;
  });
  await page.routeWebSocket(/api\/v1\/connection/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage(async (message) => {
      if (typeof message === 'string' && /"thread_(event|caught_up)"/.test(message)) await held;
      socket.send(message);
    });
  });
  await page.reload();
  await log.getByText('Loading…').waitFor();
  expect(await log.getByRole('heading').count()).toBe(0);
  answer();
  await log.getByText('I only know these.').waitFor();
  expect(await log.getByText('Loading…').count()).toBe(0);
});

it('a window asks again for a missing frame', async () => {
  const page = await openWindow(at.browser, at.server);
  let refused = 0;
  await page.route(/\/frame-[\w-]+\.js$/, (route) => (refused++ ? route.continue() : route.abort()));
  await page.reload();
  await expect.poll(() => refused).toBeGreaterThan(1);
  await openFromTree(page, 'model.py');
  await editor(page, 'model.py').waitFor();
});

it('colours of a language come later', async () => {
  const page = await openWindow(at.browser, at.server);
  // Chunks of libraries have one name: the editor's are there already.
  await openFromTree(page, 'words.txt');
  const refused = new Set<string>();
  await page.route(/\/assets\/dist-[\w-]+\.js$/, (route) => {
    const url = route.request().url();
    if (refused.has(url)) return route.continue();
    refused.add(url);
    return route.abort();
  });
  await openFromTree(page, 'model.py');
  await editor(page, 'model.py').locator('.cm-line span').first().waitFor();
  expect(refused.size).toBeGreaterThan(0);
});

it('a missing editor comes with Retry', async () => {
  const page = await openWindow(at.browser, at.server);
  let offline = true;
  await page.route(/\/assets\/(dist|CodeView)-[\w-]+\.js$/, (route) => (offline ? route.abort() : route.continue()));
  await page.getByRole('treeitem', { name: 'model.py', exact: true }).click();
  const again = page.getByRole('button', { name: 'Retry' });
  await again.waitFor();
  offline = false;
  await again.click();
  await editor(page, 'model.py').locator('.cm-line span').first().waitFor();
});

it('a command without its part says so', async () => {
  const page = await openWindow(at.browser, at.server);
  await openFromTree(page, 'model.py');
  await page.route(/\/contextMenu-[\w-]+\.js$/, (route) => route.abort());
  await editor(page, 'model.py').click({ button: 'right' });
  await page
    .getByRole('region', { name: 'Messages' })
    .getByText('This part of the window could not be loaded')
    .waitFor();
});
