// The page of a terminal, against a server that plays its part: what comes over the socket, and what the page says to it.
import type { Page, WebSocketRoute } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBothThemes } from './axe';
import { eachInWindow } from './each';
import { editor } from './support';

const at = eachInWindow({ 'src/a.py': 'one = 1\ntwo = 2\nthree = 3\n', 'notes.md': '# Tides\n' });

/** A terminal as the server would have it. */
class FakeTerminal {
  readonly typed: string[] = [];
  readonly said: { type: string; seq?: number; cols?: number }[] = [];
  opened = 0;
  connected = 0;
  private seq = 0;
  private socket: WebSocketRoute | null = null;

  /** Answers what the page asks of terminals. */
  async play(page: Page): Promise<void> {
    await page.route('**/api/v1/terminals', (route) => route.fulfill({ json: this.opened ? [this.described()] : [] }));
    await page.route(/\/api\/v1\/actions$/, async (route) => {
      const asked = route.request().postDataJSON() as { action_type: string };
      if (asked.action_type !== 'terminal.open') return route.fallback();
      this.opened++;
      // The record of an action that only reads, with a terminal in its outcome.
      const answer = await route.fetch({ postData: { ...asked, action_type: 'todo.list', args: {} } });
      const done = (await answer.json()) as { outcome: { observation: { data: unknown } } };
      done.outcome.observation.data = { terminal: this.described() };
      return route.fulfill({ json: done });
    });
    await page.routeWebSocket(/\/api\/v1\/terminals\/.*\/socket/, (socket) => this.connect(socket));
  }

  /** Prints bytes as a program would. */
  print(text: string): void {
    const bytes = Buffer.from(text);
    const head = Buffer.alloc(8);
    head.writeBigUInt64BE(BigInt(this.seq));
    this.seq += bytes.length;
    this.socket?.send(Buffer.concat([head, bytes]));
  }

  say(frame: object): void {
    this.socket?.send(JSON.stringify(frame));
  }

  get size(): number {
    return this.seq;
  }

  private described() {
    const id = `trm_${this.opened}`;
    return { id, name: 'bash', shell: '/bin/bash', cwd: '', size: { cols: 80, rows: 24 }, seq: this.seq, opened_at: 1 };
  }

  private connect(socket: WebSocketRoute): void {
    this.socket = socket;
    this.connected++;
    const asked = new URL(socket.url()).searchParams;
    const size = { cols: Number(asked.get('cols')), rows: Number(asked.get('rows')) };
    const from = Number(asked.get('from') ?? this.seq);
    this.say({ type: 'start', seq: from, replay_to: from, reset: !asked.has('from'), restore: '', omitted: 0, size });
    socket.onMessage((message) => {
      if (typeof message !== 'string') {
        this.typed.push(message.toString('utf8'));
        return;
      }
      const frame = JSON.parse(message) as { type: string; cols: number; rows: number };
      this.said.push(frame);
      if (frame.type === 'resize') this.say({ type: 'size', size: { cols: frame.cols, rows: frame.rows } });
    });
  }
}

const screen = () => at.page.locator('.xterm-rows');
const field = () => at.page.getByRole('textbox', { name: /^Terminal bash/ });

async function openedTerminal(): Promise<FakeTerminal> {
  const terminal = new FakeTerminal();
  await terminal.play(at.page);
  await at.page.getByRole('treeitem', { name: 'notes.md', exact: true }).click();
  await editor(at.page, 'notes.md').waitFor();
  await at.page.keyboard.press('Control+`');
  await at.page.getByRole('tab', { name: 'bash', exact: true }).waitFor();
  await expect.poll(() => field().evaluate((element) => element === document.activeElement)).toBe(true);
  return terminal;
}

test('a terminal shows output, types, finds and links', async () => {
  const terminal = await openedTerminal();
  terminal.print('\x1b[32mme\x1b[0m$ make\r\nsrc/a.py:2:1: error: bad\r\n');
  await screen().getByText('src/a.py:2:1: error: bad').waitFor();
  await inBothThemes(at.page);
  await expect.poll(() => terminal.said.findLast(({ type }) => type === 'ack')?.seq).toBe(terminal.size);

  await at.page.keyboard.type('ls\r');
  await at.page.keyboard.press('Control+r');
  await expect.poll(() => terminal.typed.join('')).toBe('ls\r\x12');

  // An answer that a program did not wait for, and a text for the clipboard.
  terminal.print('\x1b]52;c;ZXZpbA==\x07\x1b]0;<b>title</b>\x07');
  await at.page.getByText('A program in the terminal tried to use the clipboard.').first().waitFor();

  await at.page.keyboard.press('Control+f');
  await at.page.keyboard.type('error');
  await at.page.getByText('1 of 1').waitFor();
  await at.page.keyboard.press('Escape');

  const place = await screen().getByText('src/a.py:2:1: error: bad').boundingBox();
  const [x, y] = [(place?.x ?? 0) + 20, (place?.y ?? 0) + 6];
  await at.page.mouse.move(x, y);
  await at.page.keyboard.down('Control');
  await expect
    .poll(async () => {
      await at.page.mouse.click(x, y);
      return editor(at.page, 'src/a.py').count();
    })
    .toBe(1);
  await at.page.keyboard.up('Control');
  // The terminal stays where it was.
  expect(await screen().count()).toBe(1);
});

test('a paste of lines is asked about', async () => {
  const terminal = await openedTerminal();
  const paste = (text: string) =>
    field().evaluate((element, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  await paste('one line\x1b[201~');
  await expect.poll(() => terminal.typed.join('')).toBe('one line[201~');
  await paste('echo 1\necho 2\n');
  const dialog = at.page.getByRole('dialog', { name: 'Paste 2 lines?' });
  await inBothThemes(at.page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await paste('echo 1\necho 2\n');
  await dialog.getByRole('button', { name: 'Paste', exact: true }).click();
  await expect.poll(() => terminal.typed.join('')).toBe('one line[201~echo 1\recho 2\r');
});

test('an ended terminal says so and offers another', async () => {
  const terminal = await openedTerminal();
  terminal.say({ type: 'exit', exit: { status: 3, said: '' } });
  await at.page.getByText('bash has ended with status 3.').waitFor();
  terminal.say({ type: 'gone', why: 'server_restarted', message: 'The server restarted: this program has ended.' });
  await at.page.getByText('The server restarted: this program has ended.').waitFor();
  await inBothThemes(at.page);
  await at.page.getByRole('button', { name: 'New terminal', exact: true }).last().click();
  await expect.poll(() => [terminal.opened, terminal.connected]).toEqual([2, 2]);
  await expect.poll(() => at.page.getByText('The server restarted').count()).toBe(0);
  terminal.print('again\r\n');
  await screen().getByText('again').waitFor();
});
