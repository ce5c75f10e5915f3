// What most browser tests begin with: a folder, the server on it, a window.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { launch, openWindow, type Server, serve, Workspace } from './support';

/** What a test has. It is new for each of them, but for the browser. */
export interface Each {
  browser: Browser;
  workspace: Workspace;
  server: Server;
}

/** Gives every test of a file its own workspace with these files, and a server on it. */
export function eachOn(files: Record<string, string | Uint8Array>): Each {
  const each = {} as Each;
  beforeAll(async () => {
    each.browser = await launch();
  });
  afterAll(() => each.browser.close());
  beforeEach(async () => {
    each.workspace = new Workspace(files);
    each.server = await serve(each.workspace);
  });
  afterEach(async () => {
    await Promise.all(each.browser.contexts().map((context) => context.close()));
    await each.server.kill();
    each.workspace.remove();
  });
  return each;
}

/** The same, with a window that is open. */
export function eachInWindow(files: Record<string, string | Uint8Array>): Each & { page: Page } {
  const each = eachOn(files) as Each & { page: Page };
  beforeEach(async () => {
    each.page = await openWindow(each.browser, each.server);
  });
  return each;
}
