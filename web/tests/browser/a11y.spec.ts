import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './axe';
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

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 900, 600]) {
    describe(`${colorScheme}, ${width} wide`, () => {
      for (const [name, route] of Object.entries(ROUTES)) {
        it(`${name} has nothing that axe finds`, async () => {
          const page = await openWindow(browser, server, {
            viewport: { width, height: 800 },
            colorScheme,
            path: `w/x${route}`,
          });
          await page.waitForLoadState('networkidle');
          expect(await violations(page)).toEqual([]);
          await page.context().close();
        });
      }

      it('the ways to a model have nothing that axe finds', async () => {
        const page = await openWindow(browser, server, { viewport: { width, height: 800 }, colorScheme });
        await page.keyboard.press('Control+j');
        await page.getByRole('heading', { name: 'No model connected' }).waitFor();
        expect(await violations(page)).toEqual([]);
        await page.context().close();
      });

      it('overlays have nothing that axe finds', async () => {
        const page = await openWindow(browser, server, { viewport: { width, height: 800 }, colorScheme });
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').waitFor();
        await page.keyboard.type('e');
        expect(await violations(page)).toEqual([]);
        await page.context().close();
      });
    });
  }
}
