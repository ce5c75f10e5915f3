// The sidebar that asks a model of this machine about the AI history, with an Ollama that is not there.
import { expect, it } from 'vitest';
import { violations } from './axe';
import { eachWithModels } from './each';
import { openFromTree, resize } from './support';

const at = eachWithModels({
  files: {
    'model.py': 'def height(x):\n    return x\n',
    '~/.claude/projects/-w/one.jsonl': `${JSON.stringify({ type: 'user', cwd: '/w', message: { content: 'go on' } })}\n`,
  },
  settings: (fake) => ({ OLLAMA_HOST: `127.0.0.1:${fake.port}` }),
});

const log = () => at.page.getByRole('log', { name: 'Questions and answers' });
const question = () => at.page.getByRole('textbox', { name: 'Ask about your AI history' });
const model = () => at.page.getByRole('combobox', { name: 'Model' });

async function show(): Promise<void> {
  await at.page.getByRole('tab', { name: 'History', exact: true }).click();
  await question().waitFor();
}

async function ask(text: string): Promise<void> {
  await question().fill(text);
  await question().press('Enter');
  await log().getByRole('heading', { name: text }).waitFor();
}

async function reload(): Promise<void> {
  await at.page.reload();
  await at.page.getByText('Synced', { exact: true }).waitFor();
  await question().waitFor();
}

it('folds what the model asked, with how it went, and keeps threads and the choice of a model', async () => {
  at.fake.calls = [
    { name: 'get_cost_summary', arguments: { period: 'all' } },
    { name: 'guess', arguments: {} },
  ];
  await openFromTree(at.page, 'model.py');
  await show();
  await ask('What did I spend?');
  await log().getByText('From Ollama.').waitFor();
  const calls = log().locator('details');
  await expect.poll(() => calls.count()).toBe(2);
  expect(await calls.first().getAttribute('open')).toBeNull();
  expect(await calls.first().locator('summary').textContent()).toMatch(/get_cost_summary\s+period: all\s+done, \d+ ms/);
  expect(await calls.last().locator('summary').textContent()).toMatch(/guess.*failed, \d+ ms/s);
  await calls.first().locator('summary').click();
  await calls.first().getByText('total_cost_usd').waitFor();
  expect(await violations(at.page)).toEqual([]);
  await model().selectOption('gemma3:4b');
  await at.page.getByText('gemma3:4b may not support tools', { exact: false }).waitFor();
  await at.page.getByRole('button', { name: 'New thread' }).click();
  await ask('What else?');
  await log().getByText('From Ollama.').waitFor();
  expect(JSON.parse(at.fake.chats.at(-1) ?? '{}').model).toBe('gemma3:4b');
  await reload();
  expect(await model().inputValue()).toBe('gemma3:4b');
  await log().getByRole('heading', { name: 'What else?' }).waitFor();
  await at.page.getByRole('combobox', { name: 'Thread' }).selectOption({ label: 'What did I spend?' });
  await expect.poll(() => calls.count()).toBe(2);
  await at.page.getByRole('button', { name: 'Delete this thread' }).click();
  await expect
    .poll(() => at.page.getByRole('combobox', { name: 'Thread' }).locator('option').allTextContents())
    .toEqual(['New thread', 'What else?']);
});

it('leads to the sessions that an answer rests on, and sets what is said after a question apart', async () => {
  at.fake.calls = [{ name: 'search_past_decisions', arguments: { query: 'go on' }, said: 'Let me look.' }];
  await openFromTree(at.page, 'model.py');
  await show();
  await ask('Where did I go on?');
  await log().getByText('From Ollama.', { exact: true }).waitFor();
  await log().getByText('Let me look.', { exact: true }).waitFor();
  expect(await violations(at.page)).toEqual([]);
  await log().getByRole('button', { name: 'Session one' }).click();
  await at.page.getByRole('button', { name: 'All sessions' }).waitFor();
  await at.page.getByRole('heading', { name: /^You/ }).waitFor();
  expect(new URL(at.page.url()).searchParams.get('session')).toBe('one');
});

it('goes to a new answer, and leaves who reads further up where they are', async () => {
  at.fake.answer = Array.from({ length: 80 }, (_, line) => `- line ${line}`).join('\n');
  await openFromTree(at.page, 'model.py');
  await show();
  await ask('What did I spend?');
  await expect.poll(() => log().getByText('line 79', { exact: true }).isVisible()).toBe(true);
  const fromEnd = () => log().evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
  await expect.poll(fromEnd).toBeLessThan(2);
  await log().evaluate((one) => {
    one.scrollTop = 0;
  });
  const toEnd = at.page.getByRole('button', { name: 'Scroll to bottom' });
  await toEnd.click();
  await expect.poll(fromEnd).toBeLessThan(2);
  await log().evaluate((one) => {
    one.scrollTop = 0;
  });
  await toEnd.waitFor();
  await ask('And then?');
  await expect.poll(fromEnd).toBeLessThan(2);
});

it('keeps what was written while another tab is shown and when the window is loaded again', async () => {
  await openFromTree(at.page, 'model.py');
  await show();
  await question().fill('What did');
  await at.page.getByRole('tab', { name: 'Assistant', exact: true }).click();
  await show();
  expect(await question().inputValue()).toBe('What did');
  await reload();
  expect(await question().inputValue()).toBe('What did');
});

it('of two windows keeps the threads of both, and forgets in both', async () => {
  await openFromTree(at.page, 'model.py');
  await show();
  const other = await at.page.context().newPage();
  await other.goto(at.page.url());
  await other.getByRole('textbox', { name: 'Ask about your AI history' }).waitFor();
  const threads = (page: typeof other) =>
    page.getByRole('combobox', { name: 'Thread' }).locator('option').allTextContents();
  await ask('One?');
  await log().getByText('From Ollama.').waitFor();
  await expect.poll(() => threads(other)).toEqual(['New thread', 'One?']);
  await other.getByRole('textbox', { name: 'Ask about your AI history' }).fill('Two?');
  await other.keyboard.press('Enter');
  const otherLog = other.getByRole('log', { name: 'Questions and answers' });
  await otherLog.getByText('From Ollama.').waitFor();
  await ask('One more?');
  await expect.poll(() => log().getByText('From Ollama.').count()).toBe(2);
  await expect.poll(() => threads(other)).toEqual(['New thread', 'One?', 'Two?']);
  await otherLog.getByRole('heading', { name: 'Two?' }).waitFor();
  await other.reload();
  await expect.poll(() => threads(other)).toEqual(['New thread', 'One?', 'Two?']);
  await at.page.getByRole('button', { name: 'Delete this thread' }).click();
  await expect.poll(() => threads(other)).toEqual(['New thread', 'Two?']);
});

it('says why it knows no models, and looks again', async () => {
  await openFromTree(at.page, 'model.py');
  await at.page.route('**/api/v1/models', (route) => route.fulfill({ status: 500, body: '{}' }));
  await at.page.getByRole('tab', { name: 'History', exact: true }).click();
  await reload();
  const again = at.page.getByRole('tabpanel', { name: 'History' }).getByRole('button', { name: 'Retry' });
  await again.waitFor();
  at.fake.installed = [];
  await at.page.unroute('**/api/v1/models');
  await again.click();
  const look = at.page.getByRole('button', { name: 'Refresh' });
  await at.page.getByText('No model on this computer was found.').waitFor();
  at.fake.installed = ['qwen3:8b'];
  await look.click();
  await expect.poll(() => model().inputValue()).toBe('qwen3:8b');
  await look.waitFor({ state: 'detached' });
});

it('looks at nothing when it is told not to, and says at once that Ollama is not there', async () => {
  at.fake.calls = [{ name: 'get_cost_summary', arguments: {} }];
  await openFromTree(at.page, 'model.py');
  await show();
  await at.page.getByRole('checkbox', { name: 'Use the history' }).uncheck();
  await ask('What did I spend?');
  await log().getByText('From Ollama.').waitFor();
  expect(JSON.parse(at.fake.chats[0] ?? '{}').tools ?? []).toEqual([]);
  expect(await log().locator('details').count()).toBe(0);
  await reload();
  expect(await at.page.getByRole('checkbox', { name: 'Use the history' }).isChecked()).toBe(false);
  await at.fake.close();
  await ask('And now?');
  const alert = log().getByRole('alert');
  await expect.poll(() => alert.textContent()).toContain(`127.0.0.1:${at.fake.port}`);
  expect(await violations(at.page)).toEqual([]);
});

it('asks nothing where AI is restricted, says why, and keeps what was said', async () => {
  await openFromTree(at.page, 'model.py');
  await show();
  await ask('What did I spend?');
  await log().getByText('From Ollama.').waitFor();
  for (const level of ['partial', 'off']) {
    at.workspace.write('aside-policy.toml', `[[assistant]]\nlevel = "${level}"\n`);
    const notice = at.page.getByRole('status').filter({ hasText: 'AI answers about the history are off' });
    await notice.getByText(level === 'off' ? /^Off, / : /^Explain and hint only, /).waitFor();
    expect(await question().count(), level).toBe(0);
    await log().getByText('From Ollama.').waitFor();
    expect(await violations(at.page), level).toEqual([]);
  }
  at.workspace.write('aside-policy.toml', '');
  await question().waitFor();
});

it('is beside the document, a rail or over it, as wide as it was drawn', async () => {
  await openFromTree(at.page, 'model.py');
  await show();
  const bar = at.page.getByRole('separator', { name: 'AI history width' });
  const width = async () => Number(await bar.getAttribute('aria-valuenow'));
  await bar.focus();
  const before = await width();
  await at.page.keyboard.press('ArrowLeft');
  await expect.poll(width).toBe(before + 16);
  const box = await bar.boundingBox();
  if (!box) throw new Error('the bar is not shown');
  await at.page.mouse.move(box.x + box.width / 2, box.y + 300);
  await at.page.mouse.down();
  await at.page.mouse.move(box.x + box.width / 2 - 60, box.y + 300, { steps: 3 });
  await at.page.mouse.up();
  await expect.poll(width).toBe(before + 76);
  await reload();
  expect(await width()).toBe(before + 76);
  // Hidden where there is no room, and there again where there is.
  await resize(at.page, 900, 900);
  await at.page.getByRole('button', { name: 'Open the AI history' }).click();
  await question().waitFor();
  await resize(at.page, 600, 900);
  if (await question().isVisible()) await at.page.keyboard.press('Escape');
  await expect.poll(() => question().isVisible()).toBe(false);
  await at.page.getByRole('button', { name: /^Show the / }).click();
  await question().waitFor();
  await at.page.keyboard.press('Escape');
  await expect.poll(() => question().isVisible()).toBe(false);
  await resize(at.page, 1440, 900);
  await question().waitFor();
  expect(await width()).toBe(before + 76);
});
