// What a language server finds, shown in the editor and in the list, and the menu of the lines.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { everywhere, inBothThemes, violations } from './axe';
import { eachOn } from './each';
import { editor, openFromTree, openWindow, type Server, serve } from './support';

const fake = readFileSync('../crates/aside-lsp/src/keeper/fake_server.py', 'utf8');
/** The system's, if it has one: that of a version manager lies in a home which a sandbox need not show. */
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
const at = eachOn({
  'a.py': 'fine = 1\n😀 bad\n',
  'fake.py': fake,
  '.aside/rehearsal.json': JSON.stringify({ name: 'tests', replies: [], otherwise: 'I only know these.' }),
});

/** Sets a server up, as a person does, and starts anew with it. */
async function setUp(command: string): Promise<Server> {
  await at.server.kill();
  const text = `[servers.python]\ncommand = [${command}]\n`;
  mkdirSync(`${at.workspace.home}/data`, { recursive: true });
  writeFileSync(`${at.workspace.home}/data/language-servers.toml`, text);
  at.server = await serve(at.workspace);
  return at.server;
}

describe('a language server', () => {
  it('marks what it finds, and helps with it by mouse and by key', async () => {
    const server = await setUp(`"${python}", "${at.workspace.folder}/fake.py", "good"`);
    const page = await openWindow(at.browser, server);
    await openFromTree(page, 'a.py');
    await page.locator('.cm-lintRange-warning').waitFor({ timeout: 20_000 });
    expect(await page.locator('.cm-lintRange-warning').allTextContents()).toEqual(['bad']);
    await editor(page, 'a.py').getByText('fine').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' # a bad word');
    await expect.poll(() => page.locator('.cm-lintRange-warning').count(), { timeout: 10_000 }).toBe(2);
    await page.locator('.cm-lint-marker-warning').first().hover();
    const tip = page.locator('.cm-tooltip');
    await tip.getByRole('button', { name: 'Help me fix' }).waitFor();
    await tip.getByText('Fake', { exact: true }).waitFor();
    await inBothThemes(page);
    await page.mouse.move(5, 5);
    await expect.poll(() => tip.count()).toBe(0);
    await editor(page, 'a.py').press('Control+Home');
    await page.keyboard.press('Shift+F10');
    const menu = page.getByRole('menu', { name: 'Lines of a.py' });
    await menu.getByRole('menuitem', { name: 'Help me fix' }).waitFor();
    await inBothThemes(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => menu.count()).toBe(0);
    expect(await editor(page, 'a.py').evaluate((text) => text === document.activeElement)).toBe(true);
    await editor(page, 'a.py').getByText('bad word').click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Get a hint' }).click();
    const log = page.getByRole('log', { name: 'Conversation' });
    await log.getByText('I only know these.').waitFor();
    await log.getByText('Problem: line 1 of a.py', { exact: true }).click();
    await log.getByText(/reported by a language server at line 1 of a\.py:\s*fine = 1 # a bad word/).waitFor();
    await inBothThemes(page);
  });
});

describe('the menu of the lines', () => {
  it('leads to the threads that changed them', async () => {
    const page = await openWindow(at.browser, at.server);
    await openFromTree(page, 'a.py');
    await editor(page, 'a.py').getByText('fine').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Threads that changed these lines' }).click();
    await page.getByText('No thread changed these lines.').waitFor();
    await page.keyboard.press('Escape');
    await editor(page, 'a.py').getByText('fine').click({ button: 'right' });
    expect(await page.getByRole('menuitem', { name: 'Help me fix' }).count()).toBe(0);
  });
});

describe('a language server that does not work', () => {
  it('is named beside the file, with what to do among the problems', async () => {
    const page = await openWindow(at.browser, await setUp('"no-such-langserver"'));
    await openFromTree(page, 'a.py');
    await page.getByRole('button', { name: 'python not running' }).click();
    await page.getByText(/the program `?no-such-langserver`? was not found/).waitFor();
    await page.getByText(/set its full path/).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('is started anew by its button', async () => {
    const page = await openWindow(at.browser, await setUp(`"${python}", "${at.workspace.folder}/fake.py", "moody"`));
    await openFromTree(page, 'a.py');
    await page.getByRole('button', { name: 'python not running' }).waitFor({ timeout: 40_000 });
    await page.getByRole('button', { name: 'python not running' }).click();
    const again = page.getByRole('button', { name: 'Restart python' });
    // It is tried five times before it is left alone.
    await again.waitFor({ timeout: 40_000 });
    await everywhere(page);
    at.workspace.write('mended', '');
    await again.click();
    await page.locator('.cm-lintRange-warning').waitFor({ timeout: 20_000 });
    await expect.poll(() => again.count()).toBe(0);
  }, 90_000);
});
