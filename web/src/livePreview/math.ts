// Formulas in the editor: the library that draws them comes with the first.
import type { EditorView } from '@codemirror/view';
import { equationNumbers, numbered } from '../markdown/equations';
import { texOf } from '../markdown/mathNodes';
import { wanted } from '../ui/needed';

type Draw = typeof import('../markdown/tex').drawFormula;

let draw: Draw | null = null;

/** Draws a formula, as it is written, in an element; until the library is there, its source stands in it. */
export function drawMath(source: string, block: boolean, host: HTMLElement, view: EditorView): void {
  const tex = texOf(source);
  const hasNumbers = /\\(?:label|ref|eqref)\{/.test(tex);
  const numbers = hasNumbers ? equationNumbers([view.state.doc.toString()]) : new Map<string, number>();
  const ready = numbered(tex, block, numbers);
  if (draw) return draw(ready, host, block);
  host.textContent = source;
  void wanted(() => import('../markdown/tex')).then(({ drawFormula }) => {
    draw = drawFormula;
    drawFormula(ready, host, block);
    view.requestMeasure();
  });
}
