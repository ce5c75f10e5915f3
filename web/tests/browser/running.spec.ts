import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { everywhere, violations } from './axe';
import { eachOn } from './each';
import { cellOf, cells, go, NOTEBOOK, openNotebook } from './notebooks';

/** A Python with ipykernel; `cargo xtask test` names one. */
const PYTHON = process.env.ASIDE_TEST_PYTHON;

/** What the library of widgets says to a kernel's windows, for a slider. */
const CONTROL = `from comm import create_comm
state = {'_model_name': 'IntSliderModel', 'value': 3, 'min': 0, 'max': 10, 'description': 'Height'}
slider = create_comm(target_name='jupyter.widget', data={'state': state, 'buffer_paths': []})
slider.on_msg(lambda message: print('moved to', message['content']['data']['state']['value']))
view = {'model_id': slider.comm_id, 'version_major': 2, 'version_minor': 0}
display({'application/vnd.jupyter.widget-view+json': view, 'text/plain': 'a slider'}, raw=True)`;

const BUTTONS = `from comm import create_comm
for kind, style, icon, words, tip in [
    ('Button', 'success', 'play', 'Begin', ''),
    ('Button', 'danger', 'home', '', 'Go home'),
    ('Button', 'primary', 'rocket', '', ''),
    ('ToggleButton', 'warning', 'exclamation-triangle', 'Careful', ''),
    ('ToggleButtons', '', '', '', ''),
]:
    state = {'_model_name': kind + 'Model', 'button_style': style, 'icon': icon, 'description': words, 'tooltip': tip, 'value': False, '_options_labels': ['ebb']}
    made = create_comm(target_name='jupyter.widget', data={'state': state, 'buffer_paths': []})
    view = {'model_id': made.comm_id, 'version_major': 2, 'version_minor': 0}
    display({'application/vnd.jupyter.widget-view+json': view, 'text/plain': 'a button'}, raw=True)`;

/** Kernels are looked for in the environment that is active. */
const active = (): Record<string, string> => (PYTHON ? { VIRTUAL_ENV: dirname(dirname(PYTHON)) } : {});

describe.skipIf(!PYTHON)('a notebook with a kernel', () => {
  const at = eachOn({ 'tides.ipynb': NOTEBOOK }, active);
  const opened = () => openNotebook(at);

  /** Writes into a cell in place of what is there. */
  async function write(page: Page, id: string, text: string): Promise<void> {
    await go(page, id);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  }

  /** The lines that the editor of a cell shows. */
  const source = async (cell: Locator) => (await cell.locator('.cm-line').allTextContents()).join('\n');
  const outputOf = (page: Page, id: string) => cellOf(page, id).locator('[data-output]');
  const label = (page: Page, id: string) => expect.poll(() => cellOf(page, id).getAttribute('aria-label'));

  it('runs cells by key, shows what they put out, and still does after a reload and in another window', async () => {
    const page = await opened();
    await write(page, 'first', "print('begun'); 6 * 7");
    await page.keyboard.press('Shift+Enter');
    await outputOf(page, 'first').getByText('42').waitFor({ timeout: 30_000 });
    await label(page, 'first').toBe('Cell 2, code, run 1, done');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-cell'))).toBe('second');
    await page.getByRole('button', { name: /Kernel: Python 3.*idle/ }).waitFor();
    const other = await opened();
    await outputOf(other, 'first').getByText('begun').waitFor();
    await page.reload();
    await outputOf(page, 'first').getByText('42').waitFor();
    await expect.poll(() => at.workspace.read('tides.ipynb'), { timeout: 10_000 }).toContain('begun');
  });

  it('shows an error with ways to get help, is interrupted and restarted', async () => {
    const page = await opened();
    await write(page, 'first', '1 / 0');
    await write(page, 'second', 'import time\nfor n in range(600): time.sleep(0.1)');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+Enter');
    await outputOf(page, 'first').getByText('division by zero').last().waitFor({ timeout: 30_000 });
    await cellOf(page, 'first').getByRole('button', { name: 'Help me fix' }).waitFor();
    await label(page, 'second').toContain('not run');
    await go(page, 'second');
    await page.keyboard.press('Control+Enter');
    await label(page, 'second').toContain('running');
    await page.keyboard.press('i');
    await page.keyboard.press('i');
    await outputOf(page, 'second').getByText('KeyboardInterrupt').first().waitFor();
    await page.keyboard.press('0');
    await page.keyboard.press('0');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Kernel: Python 3.*idle/ }).waitFor({ timeout: 30_000 });
  });

  it('asks before a restart takes away what was computed, and only then', async () => {
    const page = await opened();
    const asked = page.getByRole('dialog', { name: 'Restart the kernel?' });
    const twice = async () => {
      await page.keyboard.press('0');
      await page.keyboard.press('0');
    };
    const atCell = () => page.evaluate(() => document.activeElement?.getAttribute('data-cell'));
    await write(page, 'first', 'x = 41');
    await page.keyboard.press('Control+Enter');
    await label(page, 'first').toBe('Cell 2, code, run 1, done');
    await twice();
    await asked.getByText('All variables will be lost.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'hidden' });
    expect(await atCell()).toBe('first');
    await write(page, 'second', 'print(x + 1)');
    await page.keyboard.press('Control+Enter');
    await outputOf(page, 'second').getByText('42').waitFor();
    await twice();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Kernel: Python 3.*restarting/ }).waitFor();
    await page.getByRole('button', { name: /Kernel: Python 3.*idle/ }).waitFor({ timeout: 30_000 });
    expect(await atCell()).toBe('second');
    await twice();
    await page.getByRole('button', { name: /Kernel: Python 3.*restarting/ }).waitFor();
    expect(await asked.count()).toBe(0);
    await page.getByRole('button', { name: /Kernel: Python 3.*idle/ }).waitFor({ timeout: 30_000 });
    await page.keyboard.press('Control+Enter');
    await outputOf(page, 'second').getByText('NameError').first().waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Restart kernel and run all cells' }).click();
    await asked.getByRole('button', { name: 'Restart' }).click();
    await label(page, 'second').toBe('Cell 3, code, run 2, done');
  });

  it('writes what the code asks for: in its place, below if that has changed, and takes it back', async () => {
    const page = await opened();
    at.workspace.write('more.py', 'y = 7\n');
    await write(page, 'first', '%load more.py');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => source(cellOf(page, 'first')), { timeout: 30_000 }).toContain('# %load more.py\ny = 7');
    await page.keyboard.press('Escape');
    await page.keyboard.press('z');
    await expect.poll(() => source(cellOf(page, 'first'))).toBe('%load more.py');
    await write(page, 'second', "get_ipython().set_next_input('z = 1')");
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => cells(page).count()).toBe(5);
    await expect.poll(() => source(cells(page).nth(3))).toBe('z = 1');
    await page.keyboard.press('z');
    await expect.poll(() => cells(page).count()).toBe(4);
    const waits = "import os, time\nwhile not os.path.exists('go'): time.sleep(0.05)\n";
    await write(page, 'second', `${waits}get_ipython().set_next_input('late', replace=True)`);
    await page.keyboard.press('Control+Enter');
    await label(page, 'second').toContain('running');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('# mine');
    at.workspace.write('go', '');
    await expect.poll(() => source(cells(page).nth(3))).toBe('late');
    expect(await source(cellOf(page, 'second'))).toContain('# mine');
  });

  it('keeps what a cell put out with its last part when it is split', async () => {
    const page = await opened();
    await write(page, 'first', "print('begun')\n6 * 7");
    await page.keyboard.press('Control+Enter');
    await outputOf(page, 'first').getByText('42').waitFor({ timeout: 30_000 });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+Shift+-');
    await expect.poll(() => cells(page).count()).toBe(5);
    await label(page, 'first').toBe('Cell 3, code, run 1, done');
    await expect.poll(() => source(cells(page).nth(1))).toBe("print('begun')");
    expect(await cells(page).nth(1).locator('[data-output]').count()).toBe(0);
    expect(await outputOf(page, 'first').textContent()).toContain('42');
    await page.keyboard.press('Escape');
    await page.keyboard.press('z');
    await expect.poll(() => cells(page).count()).toBe(4);
    await expect.poll(() => source(cellOf(page, 'first'))).toBe("print('begun')\n6 * 7");
    expect(await outputOf(page, 'first').textContent()).toContain('42');
  });

  it('runs a cell once more that is run while it runs, with the text that it has then', async () => {
    const page = await opened();
    await write(page, 'first', "import time, os\nwhile not os.path.exists('go'): time.sleep(0.05)\nprint('old')");
    await page.keyboard.press('Control+Enter');
    await label(page, 'first').toContain('running');
    await write(page, 'first', "print('new')");
    await page.keyboard.press('Control+Enter');
    at.workspace.write('go', '');
    await outputOf(page, 'first').getByText('new').waitFor({ timeout: 30_000 });
    await label(page, 'first').toBe('Cell 2, code, run 2, done');
  });

  it('asks for a line that the code waits for, and completes and explains from the kernel', async () => {
    const page = await opened();
    await write(page, 'first', "name = input('Who? '); print('hello', name)");
    await page.keyboard.press('Control+Enter');
    await page.getByRole('form', { name: 'Input for the code' }).getByLabel('Who?').fill('Ada');
    await page.keyboard.press('Enter');
    await outputOf(page, 'first').getByText('hello Ada').waitFor();
    await write(page, 'second', 'name.ca');
    await page.keyboard.press('Tab');
    const option = page.getByRole('option', { name: /casefold/ });
    await option.waitFor();
    await page.keyboard.type('(');
    await option.waitFor({ state: 'detached' });
    await write(page, 'second', 'name.ca');
    await page.keyboard.press('Tab');
    await page.getByRole('option', { name: /capitalize/ }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => source(cellOf(page, 'second'))).toBe('name.capitalize');
    await write(page, 'second', 'name.capit');
    await page.keyboard.press('Tab');
    await expect.poll(() => source(cellOf(page, 'second'))).toBe('name.capitalize');
    await page.keyboard.press('Shift+Tab');
    await page.locator('.cm-inspection', { hasText: 'capitalized' }).waitFor();
  });

  it('asks for a password without showing or keeping it', async () => {
    const page = await opened();
    await write(page, 'first', "import getpass; print('of length', len(getpass.getpass('Key? ')))");
    await page.keyboard.press('Control+Enter');
    const field = page.getByRole('form', { name: 'Input for the code' }).getByLabel('Key?');
    await field.waitFor({ timeout: 30_000 });
    expect(await field.getAttribute('type')).toBe('password');
    await field.fill('hunter2');
    await page.keyboard.press('Enter');
    await outputOf(page, 'first').getByText('of length 7').waitFor();
    await expect.poll(() => at.workspace.read('tides.ipynb'), { timeout: 10_000 }).toContain('of length 7');
    expect(await page.content()).not.toContain('hunter2');
    expect(at.workspace.read('tides.ipynb')).not.toContain('hunter2');
  });

  it('asks one question after the other, each with a field of its own', async () => {
    const page = await opened();
    await write(page, 'first', "import getpass; key = getpass.getpass('Key? '); print(input('Who? '), len(key))");
    await page.keyboard.press('Control+Enter');
    const form = page.getByRole('form', { name: 'Input for the code' });
    await form.getByLabel('Key?').fill('hunter2');
    await page.keyboard.press('Enter');
    const second = form.getByLabel('Who?');
    await second.waitFor({ timeout: 30_000 });
    expect([await second.getAttribute('type'), await second.inputValue()]).toEqual(['text', '']);
    await second.fill('Ada');
    await page.keyboard.press('Enter');
    await outputOf(page, 'first').getByText('Ada 7').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-cell'))).toBe('first');
  });

  it('shows the end of what a cell prints for long, until somebody scrolls away from it', async () => {
    const page = await opened();
    const print = 'for x in range(99): print("line", x, flush=True)';
    await write(page, 'first', `import time\n${print}\ntime.sleep(.6)\n${print}\ninput()\n${print}`);
    await page.keyboard.press('Control+Enter');
    const printed = outputOf(page, 'first').getByRole('figure').first();
    const left = () => printed.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await expect.poll(async () => (await printed.textContent())?.match(/line 98/g)?.length).toBe(2);
    await expect.poll(left).toBeLessThan(2);
    await printed.evaluate((box) => box.scrollTo(0, 0));
    await page.getByRole('form', { name: 'Input for the code' }).getByRole('textbox').press('Enter');
    await label(page, 'first').toContain('done');
    await expect.poll(async () => (await printed.textContent())?.match(/line 98/g)?.length).toBe(3);
    expect(await left()).toBeGreaterThan(2);
  });

  it('draws the first and the last of very many outputs, and stays quick', async () => {
    const page = await opened();
    await write(page, 'first', 'for n in range(5_000): display(n)');
    await page.keyboard.press('Control+Enter');
    await outputOf(page, 'first').getByText('4999', { exact: true }).waitFor({ timeout: 120_000 });
    await outputOf(page, 'first').getByText('4,900 outputs not shown.').waitFor();
    expect(await outputOf(page, 'first').getByText(/^\d+$/).count()).toBe(100);
    await write(page, 'second', "print('quick')");
    await page.keyboard.press('Control+Enter');
    await outputOf(page, 'second').getByText('quick').waitFor({ timeout: 10_000 });
  }, 180_000);

  it('ends its own kernel, and starts another with the next cell', async () => {
    const page = await opened();
    await write(page, 'second', "'x' in dir()");
    await page.keyboard.press('Control+Enter');
    await outputOf(page, 'second').getByText('False').waitFor({ timeout: 30_000 });
    await write(page, 'first', 'x = 1');
    await page.keyboard.press('Control+Enter');
    await label(page, 'first').toContain('done');
    await page.getByRole('button', { name: /^Kernel: / }).click();
    await page.getByRole('dialog', { name: 'Kernel' }).getByRole('button', { name: 'Shut down', exact: true }).click();
    const asked = page.getByRole('dialog', { name: 'Shut down the kernel?' });
    await asked.getByText('All variables will be lost.').waitFor();
    await asked.getByRole('button', { name: 'Shut down' }).click();
    await page.getByRole('button', { name: /^Kernel: .*not running/ }).waitFor();
    await go(page, 'second');
    await page.keyboard.press('Control+Enter');
    await label(page, 'second').toBe('Cell 3, code, run 1, done');
    await outputOf(page, 'second').getByText('False').waitFor();
  });

  it('has the keyboard on the cells again after what is pressed beside them', async () => {
    const page = await opened();
    const atCell = () => expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-cell')));
    await write(page, 'second', 'import time\ntime.sleep(60)');
    await go(page, 'first');
    await cellOf(page, 'second').getByRole('button', { name: 'Run this cell' }).click();
    await atCell().toBe('second');
    await label(page, 'second').toContain('running');
    await page.getByRole('button', { name: 'Interrupt (I I)' }).click();
    await label(page, 'second').toContain('failed');
    await atCell().toBe('second');
    for (const item of ['Run all above', 'Clear all outputs']) {
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
      await atCell().toBe('second');
    }
    await page.getByRole('button', { name: 'More cell actions' }).click();
    await page.getByRole('menuitem', { name: 'Show or hide code' }).click();
    await atCell().toBe('second');
    await page.getByRole('combobox', { name: 'Cell type' }).selectOption('raw');
    await atCell().toBe('second');
  });

  it('asks before another kernel takes the place of one that has computed something, and only then', async () => {
    const file = join(at.workspace.home, '.local/share/jupyter/kernels/twin/kernel.json');
    mkdirSync(dirname(file), { recursive: true });
    const argv = [PYTHON, '-m', 'ipykernel_launcher', '-f', '{connection_file}'];
    writeFileSync(file, JSON.stringify({ argv, display_name: 'Twin', language: 'python' }));
    const page = await opened();
    await write(page, 'first', "x = 41; print('kept')");
    await page.keyboard.press('Control+Enter');
    await outputOf(page, 'first').getByText('kept').waitFor({ timeout: 30_000 });
    const choose = async (name: RegExp) => {
      await page.getByRole('button', { name: /^Kernel: / }).click();
      await page.getByRole('dialog', { name: 'Kernel' }).getByRole('list').getByRole('button', { name }).click();
    };
    const asked = page.getByRole('dialog', { name: 'Change the kernel?' });
    await choose(/^Twin/);
    await asked.getByText('All variables will be lost.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Kernel: Python 3.*idle/ }).waitFor();
    await choose(/^Python 3/);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose(/^Twin/);
    await asked.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('button', { name: /^Kernel: Twin.*idle/ }).waitFor({ timeout: 30_000 });
    await choose(/^Python 3/);
    await page.getByRole('button', { name: /^Kernel: Python 3.*idle/ }).waitFor({ timeout: 30_000 });
    expect(await asked.count()).toBe(0);
  });

  it('clears all outputs, also those of the file, and takes that back', async () => {
    const page = await opened();
    await write(page, 'first', "print('one')");
    await write(page, 'second', "print('two')");
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+Enter');
    await outputOf(page, 'second').getByText('two').waitFor({ timeout: 30_000 });
    await expect.poll(() => at.workspace.read('tides.ipynb'), { timeout: 10_000 }).toContain('two\\n');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Clear all outputs' }).click();
    await outputOf(page, 'first').waitFor({ state: 'detached' });
    await outputOf(page, 'second').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo: Outputs cleared' }).click();
    await outputOf(page, 'first').getByText('one').waitFor();
    await outputOf(page, 'second').getByText('two').waitFor();
  });

  it('says that the kernel died, and goes on with a new one', async () => {
    const page = await opened();
    await write(page, 'first', 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('status').filter({ hasText: 'kernel died' }).waitFor({ timeout: 30_000 });
    await label(page, 'first').toContain('lost');
    await page.getByRole('button', { name: /Kernel: Python 3.*idle/ }).waitFor({ timeout: 30_000 });
    await write(page, 'second', '6 * 7');
    await page.keyboard.press('Control+Enter');
    await outputOf(page, 'second').getByText('42').waitFor({ timeout: 30_000 });
  });

  it('shows a control that code makes, in every window, and tells the code what is done to it', async () => {
    const [page, other] = [await opened(), await opened()];
    await write(page, 'first', CONTROL);
    await page.keyboard.press('Control+Enter');
    const slider = (window: Page) => outputOf(window, 'first').getByRole('slider', { name: 'Height' });
    await slider(page).waitFor({ timeout: 30_000 });
    await expect.poll(() => slider(other).inputValue()).toBe('3');
    await slider(page).fill('7');
    await outputOf(page, 'first').getByText('moved to 7').waitFor();
    await expect.poll(() => slider(other).inputValue()).toBe('7');
    expect(await violations(page)).toEqual([]);
    await other.reload();
    await expect.poll(() => slider(other).inputValue(), { timeout: 15_000 }).toBe('7');
    await go(page, 'first');
    for (const _ of [1, 2]) await page.keyboard.press('0');
    await page.keyboard.press('Enter');
    await outputOf(page, 'first').getByText('The kernel of this widget has ended').waitFor({ timeout: 30_000 });
  });

  it('shows buttons with the marks and in the colours that code gives them', async () => {
    const page = await opened();
    await write(page, 'first', BUTTONS);
    await page.keyboard.press('Control+Enter');
    const button = (name: string) => outputOf(page, 'first').getByRole('button', { name, exact: true });
    await button('Begin').waitFor({ timeout: 30_000 });
    const look = (name: string) =>
      button(name).evaluate((one) => [one.textContent, one.querySelectorAll('svg').length, one.dataset.tone ?? null]);
    expect(await look('Begin')).toEqual(['Begin', 1, 'ok']);
    expect(await look('Go home')).toEqual(['⌂', 0, 'err']);
    expect(await look('rocket')).toEqual(['rocket', 0, null]);
    // What has no words is named for who hears it, and nobody else.
    const choice = outputOf(page, 'first').getByRole('group', { name: 'Choice' });
    expect((await choice.getByText('Choice').boundingBox())?.width).toBeLessThan(5);
    expect(await look('Careful')).toEqual(['Careful', 1, 'warn']);
    await everywhere(page);
  });

  it('runs scripts of an output in a frame that has no origin, and nowhere else', async () => {
    const page = await opened();
    const html = '<b id=here>markup</b><script>document.getElementById("here").textContent = "from " + origin</script>';
    await write(page, 'first', `from IPython.display import HTML; HTML('${html}')`);
    await page.keyboard.press('Control+Enter');
    await page.frameLocator('iframe[title="Output with scripts"]').getByText('from null').waitFor({ timeout: 30_000 });
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts');
  });

  it('has nothing that axe finds with outputs of all kinds', async () => {
    const page = await opened();
    const kinds = [
      'from IPython.display import *',
      "print('\\x1b[31mred\\x1b[0m \\x1b[32;43mon yellow\\x1b[0m')",
      "display(HTML('<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>'))",
      "display(Latex('$x^2$'), JSON({'a': [1]}), Markdown('**bold**'))",
      'import sys; print("warned", file=sys.stderr); 1 / 0',
    ];
    await write(page, 'first', kinds.join('\n'));
    await page.keyboard.press('Control+Enter');
    await outputOf(page, 'first').getByText('division by zero').last().waitFor({ timeout: 30_000 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
    }
  });
});

/** Runs a cell, waits for its result, runs the next one: what the first put out was read by then. */
const PLANNER = {
  name: 'planner',
  replies: [
    {
      when: 'go on',
      steps: [
        { calls: [{ name: 'cell_run', args: { path: 'tides.ipynb', cells: ['first'], wait: true } }] },
        { calls: [{ name: 'cell_run', args: { path: 'tides.ipynb', cells: ['second'], wait: true } }] },
        { text: 'All was run.' },
      ],
    },
  ],
};

describe.skipIf(!PYTHON)('a thread that runs cells', () => {
  const at = eachOn({ 'tides.ipynb': NOTEBOOK, '.aside/rehearsal.json': JSON.stringify(PLANNER) }, active);
  const runs = (page: Page) => page.getByRole('combobox', { name: 'Cell run mode' });
  const log = (page: Page) => page.getByRole('log', { name: 'Conversation' });
  const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'This thread runs cells of tides.ipynb' });

  async function say(page: Page, text: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Message to the assistant' }).fill(text);
    await page.keyboard.press('Enter');
  }

  it('asks after outputs of its notebook, runs on where the person lets it, and asks again when that is taken back', async () => {
    const page = await openNotebook(at);
    await runs(page).selectOption('Run automatically');
    await say(page, 'go on');
    const card = log(page).getByRole('region', { name: /waiting for you$/ });
    await card
      .getByText(/has read outputs of tides.ipynb; nothing else speaks against this run/)
      .waitFor({ timeout: 30_000 });
    expect(await banner(page).count()).toBe(0);
    await card.getByRole('button', { name: 'More answers' }).click();
    await page.getByRole('menuitem', { name: 'Run and continue…' }).click();
    const choice = card.getByRole('region', { name: 'Run and continue after output' });
    await choice.getByText('Output of one cell can then cause the next run').waitFor();
    expect(await violations(page)).toEqual([]);
    await choice.getByRole('button', { name: 'Run and continue' }).click();
    await log(page).getByText('All was run.').waitFor({ timeout: 30_000 });
    await expect.poll(() => runs(page).inputValue()).toBe('after_outputs');
    await say(page, 'go on');
    await expect.poll(() => log(page).getByText('All was run.').count(), { timeout: 30_000 }).toBe(2);
    await page.reload();
    await banner(page).getByRole('button', { name: 'Ask after output' }).click();
    await expect.poll(() => runs(page).inputValue()).toBe('auto');
    expect(await banner(page).count()).toBe(0);
    await say(page, 'go on');
    await card
      .getByText(/nothing else speaks against this run/)
      .first()
      .waitFor({ timeout: 30_000 });
  });

  it('runs on from the beginning where the person chooses that before', async () => {
    const page = await openNotebook(at);
    await runs(page).selectOption('Run and continue after output');
    await banner(page).waitFor();
    await say(page, 'go on');
    await log(page).getByText('All was run.').waitFor({ timeout: 30_000 });
  });
});

describe.skipIf(!PYTHON)('a cell that puts out without end', () => {
  const at = eachOn({ 'tides.ipynb': NOTEBOOK }, () => ({ ...active(), ASIDE_CELL_OUTPUT: '1' }));
  // What comes at once is taken at once: in small pieces, so that it is known how much there is.
  const FLOOD = "import time\nwhile True: print('~' * 50_000); time.sleep(0.1)";

  it('is held back, goes on for as much again, and is ended', async () => {
    const page = await openNotebook(at);
    await go(page, 'first');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(FLOOD);
    await page.keyboard.press('Control+Enter');
    const notebook = page.getByRole('tabpanel', { name: 'tides.ipynb' });
    const line = notebook.getByRole('status').filter({ hasText: 'Cell 2 produced' });
    await line.getByText('produced 1 MB of output and is paused').waitFor({ timeout: 60_000 });
    await line.getByRole('button', { name: 'Continue' }).click();
    await line.getByText('produced 2 MB of output and is paused').waitFor({ timeout: 60_000 });
    await line.getByRole('button', { name: 'Interrupt' }).click();
    await line.waitFor({ state: 'detached' });
    await cellOf(page, 'first').getByText('output after this was dropped').first().waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: /Kernel: Python 3.*idle/ }).waitFor({ timeout: 30_000 });
    await go(page, 'second');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => cellOf(page, 'second').getAttribute('aria-label')).toContain('done');
  });
});
