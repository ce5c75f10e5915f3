// Looks for what hinders people who see, hear or move otherwise.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { resize } from './support';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Found {
  id: string;
  nodes: { html: string }[];
}

/** The rules that look at colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Lists the violations of all of axe's rules, or of some, one line each. Runs inside the page's own world, which its content policy does not bind. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found = await page.evaluate(async (runOnly) => {
    // Letters that are still appearing are paler than they will be.
    const appearing = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === 1);
    await Promise.allSettled(appearing.map(({ finished }) => finished));
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Found[] }> } };
    return (await axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })).violations;
  }, rules);
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
}

/** Fails if axe finds something in what is shown, light or dark; then the theme is as it was. */
export async function inBothThemes(page: Page): Promise<void> {
  expect(await violations(page), 'light').toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, OF_COLOURS), 'dark').toEqual([]);
  await page.emulateMedia({ colorScheme: null });
}

/** What a window can be like: wide, of middle width, narrow; each light and dark. */
const WIDTHS = [1440, 900, 600];

/**
 * Fails if axe finds something in what is shown, in any theme and width; then the window is as it was. Themes differ in
 * colours alone, so in the dark one only rules about colours can find something else. What lies in the
 * side is given as `shown`: where the window is too small for the side to stay, it is reached again, by opening the side.
 */
export async function everywhere(page: Page, shown?: Locator): Promise<void> {
  const before = page.viewportSize() ?? { width: 1440, height: 900 };
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await resize(page, width, before.height);
      if (shown && !(await shown.isVisible())) await page.keyboard.press('Control+j');
      await shown?.waitFor();
      const rules = colorScheme === 'dark' ? OF_COLOURS : undefined;
      expect(await violations(page, rules), `${colorScheme}, ${width} wide`).toEqual([]);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await resize(page, before.width, before.height);
  await shown?.waitFor();
}
