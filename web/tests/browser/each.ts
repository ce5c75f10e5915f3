// What most browser tests begin with: a folder, the server on it, a window.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type FakeModels, fakeModels } from './fakeModels';
import { launch, openWindow, type Server, serve, Workspace } from './support';

/** What a test has. It is new for each of them, but for the browser. */
export interface Each {
  browser: Browser;
  workspace: Workspace;
  server: Server;
}

type Files = Record<string, string | Uint8Array>;

/** Gives every test of a file its own workspace with these files, and a server on it. `settings` are its environment. */
export function eachOn(files: Files, settings: () => Record<string, string> = () => ({})): Each {
  const each = {} as Each;
  beforeAll(async () => {
    each.browser = await launch();
  });
  afterAll(() => each.browser.close());
  beforeEach(async () => {
    each.workspace = new Workspace(files);
    for (const [name, value] of Object.entries(settings())) each.workspace.set(name, value);
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
export function eachInWindow(files: Files, settings?: () => Record<string, string>): Each & { page: Page } {
  const each = eachOn(files, settings) as Each & { page: Page };
  beforeEach(async () => {
    each.page = await openWindow(each.browser, each.server);
  });
  return each;
}

interface WithModels {
  files: Files;
  /** Where the fake listens; loopback if absent. */
  host?: string;
  /** What the server's environment says of the fake. */
  settings(fake: FakeModels): Record<string, string>;
  /** What the fake is to be like before the server starts. */
  prepare?(fake: FakeModels): void;
}

/** The same, with a server of models that plays what it is told. */
export function eachWithModels({
  files,
  host,
  settings,
  prepare,
}: WithModels): Each & { page: Page; fake: FakeModels } {
  let fake: FakeModels;
  // The first to begin and the last to end.
  beforeEach(async () => {
    fake = await fakeModels(host);
    prepare?.(fake);
  });
  afterEach(() => fake.close());
  const each = eachInWindow(files, () => settings(fake));
  return Object.defineProperty(each, 'fake', { get: () => fake }) as typeof each & { fake: FakeModels };
}
