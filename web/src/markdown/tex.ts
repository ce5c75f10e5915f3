// Formulas as MathML, which the browser draws and reads aloud: no fonts and no styles are loaded for it.
import katex from 'katex';
import { makeReadable } from '../outputs/inks';
import { tagsOf } from './equations';

/** Without trust, nothing of a formula becomes a link, a picture or a style. */
const SAFE = { output: 'mathml', trust: false, maxExpand: 200, maxSize: 20 } as const;

/** Draws a formula in an element; what it can't read it shows. */
export function drawFormula(tex: string, element: HTMLElement, block: boolean): void {
  katex.render(tex, element, { ...SAFE, throwOnError: false, displayMode: block });
  writeTags(tex, element);
  makeReadable(element);
}

/** Writes the tags of rows into their cells, which KaTeX leaves empty in MathML. */
function writeTags(tex: string, element: HTMLElement): void {
  const tags = tagsOf(tex);
  for (const [row, cell] of element.querySelectorAll('.mml-eqn-num').entries()) {
    const text = document.createElementNS('http://www.w3.org/1998/Math/MathML', 'mtext');
    text.textContent = tags[row] ?? '';
    cell.append(text);
  }
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
