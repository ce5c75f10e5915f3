// Formulas as MathML, which the browser draws and reads aloud: no fonts and no styles are loaded for it.
import katex from 'katex';
import { makeReadable } from '../outputs/inks';

/** Without trust, nothing of a formula becomes a link, a picture or a style. */
const SAFE = { output: 'mathml', trust: false, maxExpand: 200, maxSize: 20 } as const;

/** Draws a formula in an element; what it can't read it shows. */
export function drawFormula(tex: string, element: HTMLElement, block: boolean): void {
  katex.render(tex, element, { ...SAFE, throwOnError: false, displayMode: block });
  makeReadable(element);
}

/** Tells whether all of a formula can be drawn. */
export function isDrawable(tex: string, block: boolean): boolean {
  try {
    katex.renderToString(tex, { ...SAFE, strict: 'ignore', displayMode: block });
    return true;
  } catch {
    return false;
  }
}
