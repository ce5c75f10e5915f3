// Whether LaTeX can be built here.
import { execFileSync } from 'node:child_process';

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
