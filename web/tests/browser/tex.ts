// Whether LaTeX can be built here.
import { execFileSync } from 'node:child_process';
import type { Locator } from 'playwright-core';

function hasTex(): boolean {
  try {
    execFileSync('latexmk', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** It is installed; who reads this says so where it is not. */
export const tex = hasTex();
if (!tex) console.warn('skipped: latexmk is not installed (apt install texlive-latex-recommended latexmk)');

/** Presses *Build* and waits for its end; without a sandbox the first build of a document asks. */
export async function build(bar: Locator, end: RegExp): Promise<void> {
  await bar.getByRole('button', { name: 'Build' }).click();
  const ended = bar.getByText(end);
  const accept = bar.getByRole('button', { name: 'Accept', exact: true });
  await ended.or(accept).first().waitFor({ timeout: 60_000 });
  if (await accept.isVisible()) await accept.click();
  await ended.waitFor({ timeout: 60_000 });
}
