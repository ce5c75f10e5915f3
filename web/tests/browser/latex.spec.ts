import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { everywhere, violations } from './axe';
import { eachOn } from './each';
import { editor, openFromTree, openWindow, resize, serve, textOf } from './support';
import { build, tex } from './tex';

const demo = (name: string) => readFileSync(`../crates/aside-cli/demo/paper/${name}`, 'utf8');
const at = eachOn({ 'paper/paper.tex': demo('paper.tex'), 'paper/references.bib': demo('references.bib') });
const PAPER = 'paper/paper.tex';

const bar = (page: Page) => page.getByRole('region', { name: 'LaTeX', exact: true });

/** A page for each of these words. */
const book = (words: readonly string[]) =>
  `\\documentclass{article}\n\\begin{document}\n${words.join('\n\\newpage\n')}\n\\end{document}\n`;

const firstBuild = (page: Page) => build(bar(page), /^Built/);

async function breakIt(page: Page): Promise<void> {
  await editor(page, PAPER).getByText('\\maketitle').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' \\nosuchcommand');
  await expect.poll(() => at.workspace.read(PAPER), { timeout: 10_000 }).toContain('nosuchcommand');
}

it('says what a document lacks that is built all the same, and how to install it', async () => {
  await at.server.kill();
  const programs = join(at.workspace.home, 'bin');
  mkdirSync(programs);
  for (const name of ['latexmk', 'pdflatex', 'sage'])
    writeFileSync(join(programs, name), '#!/bin/sh\n', { mode: 0o755 });
  at.workspace.set('PATH', programs);
  at.workspace.write(
    'a.tex',
    '\\documentclass{article}\n\\usepackage{biblatex}\n\\usepackage{sagetex}\n\\usepackage{makeidx}\n\\makeindex\n' +
      '\\begin{document}\nText.\n\\end{document}\n',
  );
  at.server = await serve(at.workspace);
  const page = await openWindow(at.browser, at.server);
  await openFromTree(page, 'a.tex');
  const advice = bar(page).getByText('Not installed: biber, makeindex');
  await advice.click();
  await bar(page).getByText('apt install biber').waitFor();
  await bar(page).getByText('Code in the document runs.').waitFor();
  expect(await bar(page).getByRole('button', { name: 'Build' }).isEnabled()).toBe(true);
  await everywhere(page);
});

describe.runIf(tex)('a paper', () => {
  it('is built, broken, mended; its pages and its source find each other', async () => {
    const page = await openWindow(at.browser, at.server);
    await openFromTree(page, PAPER);
    await firstBuild(page);
    expect(at.workspace.has('paper/paper.pdf')).toBe(true);
    await bar(page).getByRole('button', { name: 'PDF', exact: true }).click();
    const pages = page.getByRole('region', { name: 'Pages of paper/paper.pdf' });
    await pages.getByText('Tides of a small harbour', { exact: true }).waitFor();

    await breakIt(page);
    await bar(page).getByRole('button', { name: 'Build' }).click();
    await bar(page).getByText('1 error', { exact: true }).waitFor({ timeout: 60_000 });
    await page.locator('.cm-lint-marker-error').waitFor();
    await pages.getByText('Tides of a small harbour', { exact: true }).waitFor();

    await editor(page, PAPER).press('Control+Home');
    await page.keyboard.press('F8');
    await page.getByText('Line 8', { exact: true }).waitFor();
    await bar(page).getByRole('button', { name: '1 error' }).click();
    const problem = page.getByRole('button', { name: /Unknown command \\nosuchcommand/ });
    await problem.waitFor();
    await everywhere(page);

    await page.getByRole('button', { name: 'Help me fix' }).click();
    const question = page.getByRole('dialog').getByText(/Help me fix this problem/);
    await question.waitFor();
    const asked = await question.textContent();
    expect(asked, 'the end of what the stage put out').toMatch(/latexmk \(latex\):\n.*Latexmk: Errors/s);
    expect(asked?.length).toBeLessThan(8_000);
    await page.keyboard.press('Escape');
    await page.locator('.cm-lint-marker-error').hover();
    await page.locator('.cm-tooltip').getByRole('button', { name: 'Get a hint' }).click();
    const plain = page.getByRole('dialog', { name: 'No model connected' });
    await plain.getByText(/Give me a hint/).waitFor();
    await page.mouse.move(5, 5);
    await expect.poll(() => page.locator('.cm-tooltip').count()).toBe(0);
    expect(await plain.isVisible(), 'it outlives the mark it was asked from').toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => plain.count()).toBe(0);
    await problem.click();
    await page.keyboard.press('End');
    for (let count = 0; count < ' \\nosuchcommand'.length; count++) await page.keyboard.press('Backspace');
    await expect.poll(() => textOf(page, PAPER)).not.toContain('nosuchcommand');
    // Beside the pages there is no room for all of the bar.
    await bar(page).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Build on save' }).click();
    await bar(page)
      .getByText(/^Built/)
      .waitFor({ timeout: 60_000 });
    await expect.poll(() => page.locator('.cm-lint-marker-error').count()).toBe(0);

    await pages.getByText('Results', { exact: true }).dblclick();
    await page.getByText(/^Line 2[34]$/).waitFor();
    await page.keyboard.press('Control+Alt+j');
    await pages.locator('[class*=area]').first().waitFor();
  });

  it('keeps its place over a build, on pages that are new', async () => {
    const words = Array.from({ length: 12 }, (_, page) => `Ebb ${page + 1}`);
    at.workspace.write('book.tex', book(words));
    const page = await openWindow(at.browser, at.server);
    await openFromTree(page, 'book.tex');
    await firstBuild(page);
    const more = bar(page).getByRole('button', { name: 'More actions' });
    const heights: (number | undefined)[] = [];
    for (const width of [1440, 980, 700, 600, 420]) {
      await resize(page, width, 900);
      heights.push((await bar(page).boundingBox())?.height);
      expect(await more.isVisible()).toBe(width < 600);
    }
    expect(new Set(heights).size, `${heights}`).toBe(1);
    await more.click();
    await page.getByRole('menuitem', { name: /^Show line/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await resize(page, 1440, 900);
    await bar(page).getByRole('button', { name: 'PDF', exact: true }).click();
    const pages = page.getByRole('region', { name: 'Pages of book.pdf' });
    const number = page.getByRole('textbox', { name: 'Page' });
    await number.fill('8');
    await number.press('Enter');
    await pages.getByText('Ebb 8', { exact: true }).waitFor();
    await pages.evaluate((element) => element.scrollBy(0, 77));
    const before = await pages.evaluate((element) => element.scrollTop);

    await editor(page, 'book.tex').getByText('Ebb 8', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and flood');
    await bar(page).getByRole('button', { name: 'Build' }).click();
    await pages.getByText('Ebb 8 and flood', { exact: true }).waitFor({ timeout: 60_000 });
    expect(await pages.evaluate((element) => element.scrollTop)).toBe(before);
    expect(await number.inputValue()).toBe('8');
  });
});
