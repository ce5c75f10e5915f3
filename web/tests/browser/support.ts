// Starts the real binary on a folder of its own and a real Chromium, and takes both away again.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Serving } from '../../src/wire/gen/types';

export { launch } from '../chromium.mjs';

const BINARY = resolve(process.env.ASIDE_BIN ?? '../target/debug/aside');

/** A folder with files, and a home. A path that begins with `~/` is in the home; there `FOLDER` stands for the folder in the text. */
export class Workspace {
  readonly folder = mkdtempSync(join(tmpdir(), 'aside-browser-'));
  readonly home = mkdtempSync(join(tmpdir(), 'aside-home-'));

  constructor(files: Record<string, string | Uint8Array>) {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    if (!this.has('.aside')) return;
    // Aside uses no state of its own that was put there from outside, unless its person says that it is theirs.
    execFileSync(BINARY, ['trust', this.folder], { env: this.environment(), stdio: ['ignore', 'ignore', 'inherit'] });
  }

  private readonly more: Record<string, string> = {};

  /** Sets a variable of programs that run in it. */
  set(name: string, value: string): void {
    this.more[name] = value;
  }

  /** Of programs that run in it. */
  environment(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.home,
      ASIDE_DATA_DIR: join(this.home, 'data'),
      // Nothing answers there: the tests talk to no model.
      OLLAMA_HOST: '127.0.0.1:1',
      ...this.more,
    };
  }

  write(path: string, content: string | Uint8Array): void {
    const inHome = path.startsWith('~/');
    const whole = inHome ? join(this.home, path.slice(2)) : join(this.folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, inHome && typeof content === 'string' ? content.replaceAll('FOLDER', this.folder) : content);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  remove(): void {
    // Kernels outlive their server. Each names a file in the home, as does what carries its messages.
    spawnSync('pkill', ['-KILL', '-f', '--', this.home]);
    for (const folder of [this.folder, this.home]) rmSync(folder, { recursive: true, force: true });
  }
}

/** A server that runs. */
export interface Server extends Serving {
  /** Kills it as a power cut would. */
  kill(): Promise<void>;
}

/** Starts the server on a workspace; with the port and the token of an earlier one if they are given. */
export function serve(workspace: Workspace, port = 0, token?: string): Promise<Server> {
  return serving(workspace, [workspace.folder, '--port', String(port)], token);
}

/** Starts it on the sample workspace, in a folder of this one. */
export function serveDemo(workspace: Workspace): Promise<Server> {
  return serving(workspace, ['demo', join(workspace.folder, 'aside-demo'), '--port', '0']);
}

async function serving(workspace: Workspace, args: string[], token?: string): Promise<Server> {
  const child = spawn(BINARY, [...args, '--no-open', '--json'], {
    env: { ...workspace.environment(), ...(token && { ASIDE_TOKEN: token }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await firstLine(child);
  return { ...(JSON.parse(line) as Serving), kill: () => killed(child) };
}

/** A port that nobody has. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Opens a window of its own on the server, and waits until it is there. */
export async function openWindow(
  browser: Browser,
  server: Serving,
  options: BrowserContextOptions & { path?: string } = {},
): Promise<Page> {
  const { path = '', ...context } = options;
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, ...context })).newPage();
  page.on('pageerror', (error) => expect.unreachable(`the page threw: ${error.stack ?? error.message}`));
  await page.goto(`${server.url}${path}#token=${server.token}`);
  await page.getByText('Synced', { exact: true }).waitFor();
  return page;
}

/** The address of a place in the workspace that a window shows, once the window has its own. */
export async function addressOf(page: Page, place: string): Promise<string> {
  await page.waitForURL(/\/w\/[^/]+/);
  return page.url().replace(/(\/w\/[^/]+).*/, `$1/${place}`);
}

/** Gives the window another size; returns when it has taken it in. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await frames(page, 2);
}

/** Returns when the window has been drawn this many times. */
export async function frames(page: Page, count: number): Promise<void> {
  for (let left = count; left > 0; left--) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  }
}

/** Opens a file by its row in the tree, folder by folder. */
export async function openFromTree(page: Page, path: string): Promise<void> {
  for (const part of path.split('/')) {
    const row = page.getByRole('treeitem', { name: part, exact: true });
    if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
  }
  await editor(page, path).waitFor();
}

/** The text of a file in an editor. */
export function editor(page: Page, path: string) {
  return page.getByRole('textbox', { name: `Text of ${path}` });
}

/** The lines an editor shows. */
export async function textOf(page: Page, path: string): Promise<string> {
  const lines = editor(page, path).locator('.cm-line');
  const texts = await lines.evaluateAll((elements) =>
    elements.map((element) => {
      const line = element.cloneNode(true) as HTMLElement;
      for (const label of line.querySelectorAll('.cm-peer-caret')) label.remove();
      return line.textContent ?? '';
    }),
  );
  return texts.join('\n');
}

/** Asks for an action as the command line would. */
export function act(server: Serving, action_type: string, args: unknown): Promise<{ id: string; state: string }> {
  return post(server, 'actions', { action_type, args });
}

/** Sends a request as another program would. */
export async function post<T>(server: Serving, path: string, body: unknown): Promise<T> {
  const answer = await fetch(`${server.url}api/v1/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as T;
}

/** Invites a guest, who has chosen this name; returns the token of their link. */
export async function guestToken(server: Serving, name: string): Promise<string> {
  type Asked = { id: string; record: { approval_hash: string } };
  type Done = { outcome: { observation: { data: { id: string } } } };
  const asked = await post<Asked>(server, 'actions', { action_type: 'guest.invite', args: { name } });
  const yes = { decision: 'approve', hash: asked.record.approval_hash };
  const done = await post<Done>(server, `actions/${asked.id}/decision`, yes);
  const { token } = await post<{ token: string }>(server, `people/${done.outcome.observation.data.id}/link`, {});
  await chooseName(server, token, name);
  return token;
}

async function chooseName(server: Serving, token: string, name: string): Promise<void> {
  const json = { 'Content-Type': 'application/json' };
  const address = (path: string) => `${server.url}api/v1/${path}`;
  const session = await fetch(address('session'), { method: 'POST', headers: json, body: JSON.stringify({ token }) });
  const { csrf } = (await session.json()) as { csrf: string };
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
  const marks = { Cookie: cookie, 'X-Aside-CSRF': csrf, 'Sec-Fetch-Site': 'same-origin' };
  await fetch(address('people/me'), { method: 'PUT', headers: { ...json, ...marks }, body: JSON.stringify({ name }) });
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`the server ended with ${code} before it served`)));
    if (child.stdout) createInterface(child.stdout).once('line', done);
  });
}

function killed(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done();
    child.once('exit', () => done());
    child.kill('SIGKILL');
  });
}
