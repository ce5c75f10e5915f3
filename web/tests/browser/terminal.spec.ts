// Terminals with real shells: what a person types, sees, finds, follows, splits and names, and what programs try.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { inBothThemes } from './axe';
import { eachOn } from './each';
import { editor, openFromTree, openWindow } from './support';

const REHEARSAL = {
  name: 'tests',
  replies: [{ when: 'Help me fix', steps: [{ text: 'Install that program first.' }] }],
  otherwise: 'I did not see the output.',
};
const at = eachOn(
  {
    'src/a.py': 'one = 1\ntwo = 2\nthree = 3\n',
    'notes.md': '# Tides\n',
    '.aside/rehearsal.json': JSON.stringify(REHEARSAL),
    '~/.bashrc': "PS1='ready> '\nPROMPT_COMMAND=\n",
  },
  () => ({ SHELL: '/bin/bash' }),
) as ReturnType<typeof eachOn> & { page: Page };

beforeEach(async () => {
  at.page = await openWindow(at.browser, at.server, { permissions: ['clipboard-read', 'clipboard-write'] });
});

/** The text of the terminal that is shown, or of the last of several. */
const screen = async (page = at.page) => {
  const rows = await page.locator('.xterm-rows').last().locator('> div').allTextContents();
  return rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd()).join('\n');
};
const field = (name = 'bash', page = at.page) =>
  page.getByRole('textbox', { name: new RegExp(`^Terminal ${name}\\.`) });
const tab = (name: string, page = at.page) => page.getByRole('tab', { name, exact: true });
const shows = (text: string | RegExp, page = at.page) => expect.poll(() => screen(page)).toMatch(text);

/** Opens the first terminal by its key, beside a note. */
async function opened(): Promise<void> {
  await openFromTree(at.page, 'notes.md');
  await at.page.keyboard.press('Control+`');
  await expect.poll(() => field().evaluate((element) => element === document.activeElement)).toBe(true);
  await shows(/ready>/);
}

async function run(line: string, page = at.page): Promise<void> {
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

async function chooseInMenuOf(name: string, entry: string, page = at.page): Promise<void> {
  await tab(name, page).click({ button: 'right' });
  await page.getByRole('menu').getByRole('menuitem', { name: entry }).click();
}

const paste = (text: string) =>
  field().evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

test('a terminal runs, finds, links, copies and pastes', async () => {
  await opened();
  await run('echo $((6 * 7)) && printf "\\e[31mred\\e[0m src/a.py:2:1: error\\n"');
  await shows(/^42$/m);
  await shows(/red src\/a\.py:2:1: error/);
  await inBothThemes(at.page);

  await at.page.keyboard.press('Control+f');
  await at.page.getByLabel('Find in terminal').first().waitFor();
  await at.page.keyboard.type('42');
  await at.page.getByText(/^\d of \d$/).waitFor();
  await at.page.keyboard.press('Escape');

  const word = at.page.locator('.xterm-rows').getByText('red', { exact: true }).last();
  const place = await word.boundingBox();
  const [x, y] = [(place?.x ?? 0) + 6, (place?.y ?? 0) + 6];
  await at.page.mouse.dblclick(x, y);
  await at.page.keyboard.press('Control+Shift+c');
  await expect.poll(() => at.page.evaluate(() => navigator.clipboard.readText())).toBe('red');

  await paste('echo one line\x1b[201~');
  await shows(/ready> echo one line\[201~$/m);
  await at.page.keyboard.press('Control+u');
  await paste('echo first\necho second\n');
  const dialog = at.page.getByRole('dialog', { name: 'Paste 2 lines?' });
  await dialog.waitFor();
  await inBothThemes(at.page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await paste('echo first\necho second\n');
  await dialog.getByRole('button', { name: 'Paste', exact: true }).click();
  await at.page.keyboard.press('Enter');
  await shows(/^first$/m);
  await shows(/^second$/m);

  const link = { x: ((await word.boundingBox())?.x ?? 0) + 60, y: ((await word.boundingBox())?.y ?? 0) + 6 };
  await at.page.keyboard.down('Control');
  await expect
    .poll(async () => {
      await at.page.mouse.move(link.x + 1, link.y);
      await at.page.mouse.click(link.x, link.y);
      return editor(at.page, 'src/a.py').count();
    })
    .toBe(1);
  await at.page.keyboard.up('Control');
  await at.page.getByText('Line 2', { exact: true }).waitFor();
  // The terminal stays where it was.
  expect(await at.page.locator('.xterm-rows').count()).toBe(1);
});

test('a terminal goes on without its window', async () => {
  await opened();
  await run('for each in $(seq 200); do echo line $each; done; sleep 2; echo and after');
  await shows(/^line 200$/m);
  await at.page.reload();
  await at.page.getByRole('tab', { name: /^bash/ }).waitFor();
  await shows(/and after\nready>$/);
  await at.page.locator('.xterm-screen').hover();
  const scrolled = async (pixels: number) => {
    await at.page.mouse.wheel(0, pixels);
    return screen();
  };
  await expect.poll(() => scrolled(-400)).toMatch(/^line 1$/m);

  const other = await openWindow(at.browser, at.server);
  await shows(/and after\nready>$/, other);
  await field('bash', other).focus();
  await run('echo from the other', other);
  await shows(/^from the other$/m, other);
  await expect.poll(() => scrolled(400)).toMatch(/^from the other$/m);
  await field('bash', other).focus();
  await run('exit 3', other);
  await other.getByText('bash has ended with status 3.').waitFor();
  await at.page.getByText('bash has ended with status 3.').waitFor();
  await inBothThemes(at.page);
});

test('a split is another shell with a name', async () => {
  await opened();
  await run('here=first');
  await chooseInMenuOf('bash', 'Split right');
  await tab('bash 2').waitFor();
  await expect.poll(() => at.page.locator('.xterm-rows').count()).toBe(2);
  await expect.poll(() => field('bash 2').evaluate((element) => element === document.activeElement)).toBe(true);
  await run('echo "<$here>"');
  await shows(/^<>$/m);

  await chooseInMenuOf('bash 2', 'Rename…');
  await inBothThemes(at.page);
  await at.page.getByRole('dialog', { name: 'Rename terminal' }).getByRole('textbox').fill('build');
  await at.page.keyboard.press('Enter');
  await tab('build').waitFor();
  await at.page.reload();
  await tab('build').waitFor();
  await tab('build').focus();
  await at.page.keyboard.press('Shift+F10');
  await inBothThemes(at.page);
  await at.page.getByRole('menuitem', { name: 'End this terminal' }).click();
  await at.page.getByRole('button', { name: 'Close', exact: true }).click();
  await tab('build').waitFor({ state: 'detached' });
  // Back and forth by one key.
  await tab('bash').click();
  await at.page.keyboard.press('Control+`');
  await expect.poll(() => editor(at.page, 'notes.md').evaluate((it) => it.contains(document.activeElement))).toBe(true);
  await at.page.keyboard.press('Control+`');
  await expect.poll(() => field().evaluate((element) => element === document.activeElement)).toBe(true);
});

test('programs get keys and the mouse only', async () => {
  await opened();
  const read = (bytes: number) => `stty raw -echo; dd bs=1 count=${bytes} 2>/dev/null | od -An -c; stty sane`;
  await run(read(5));
  await at.page.keyboard.press('ArrowUp');
  await at.page.keyboard.press('Control+r');
  await at.page.keyboard.press('Tab');
  await shows(/033\s+\[\s+A\s+022\s+\\t/);
  await run(`printf '\\e[?1000h\\e[?1006h'; ${read(9)}; printf '\\e[?1000l\\e[?1006l'`);
  await expect.poll(() => at.page.locator('.xterm.enable-mouse-events').count()).toBe(1);
  await at.page.locator('.xterm-screen').click({ position: { x: 12, y: 8 } });
  await shows(/033\s+\[\s+<\s+0\s+;\s+\d\s+;\s+1\s+M/);

  await at.page.evaluate(() => navigator.clipboard.writeText('mine'));
  await run(`printf '\\e]52;c;%s\\a' "$(printf evil | base64)"; printf '\\e]52;c;?\\a'`);
  await at.page.getByText('A program in the terminal tried to use the clipboard.').first().waitFor();
  expect(await at.page.evaluate(() => navigator.clipboard.readText())).toBe('mine');
  expect(await screen()).not.toMatch(/bWluZQ/);
  await run(`printf '\\e]0;<img src=x onerror=alert(1)>\\u202e\\a'`);
  await at.page.getByText('<img src=x onerror=alert(1)>', { exact: false }).first().waitFor();
  expect(await at.page.locator('img[src=x]').count()).toBe(0);
  // The title can't be typed back as a line.
  await run(`printf '\\e[21t'`);
  await run('echo over');
  await shows(/^over$/m);
});

test('a shell that dies at once says so', async () => {
  at.workspace.write('~/.bashrc', 'echo no such luck; exit 7\n');
  await openFromTree(at.page, 'notes.md');
  await at.page.keyboard.press('Control+`');
  await at.page.getByText('bash has ended with status 7.').waitFor();
  await shows(/no such luck/);
  at.workspace.write('~/.bashrc', "PS1='ready> '\n");
  await at.page.getByRole('button', { name: 'New terminal', exact: true }).last().click();
  await shows(/ready>/);
  await expect.poll(() => at.page.getByText('has ended').count()).toBe(0);
});

test('a failed command leads to help', async () => {
  await opened();
  await run('no_such_program --now');
  await shows(/command not found/);
  const bar = at.page.getByRole('toolbar', { name: 'Terminal bash' });
  const problem = bar.getByText('bash: no_such_program: command not found');
  await problem.waitFor();
  // While something is typed it stays; the next command that ends well takes it away.
  await run('true');
  await problem.waitFor({ state: 'detached' });
  await run('no_such_program --again');
  await problem.waitFor();
  await at.page.getByRole('button', { name: 'Help me fix' }).click();
  const log = at.page.getByRole('log', { name: 'Conversation' });
  await log.getByText('Install that program first.').waitFor();
  await log.getByText('Output of Terminal bash').waitFor();
  await inBothThemes(at.page);
});
