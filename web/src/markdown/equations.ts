// Numbers of labelled equations. Only those that have a label are numbered, in order.
import { createContext } from 'react';

/** The numbers of the equations around a text, by their labels. */
export const EquationContext = createContext<ReadonlyMap<string, number>>(new Map());

/** The numbers of the labels in texts. */
export function equationNumbers(texts: readonly string[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const text of texts) {
    for (const [, label = ''] of text.matchAll(LABEL)) if (!numbers.has(label)) numbers.set(label, numbers.size + 1);
  }
  return numbers;
}

/** A formula in which labels are its equations' numbers, and references are those of others. */
export function numbered(tex: string, block: boolean, numbers: ReadonlyMap<string, number>): string {
  // A tag stands beside a displayed formula only.
  const isUntagged = !block || /\\tag\*?\{/.test(tex);
  return (
    tex
      // Without a star KaTeX would number all rows by itself.
      .replaceAll(/\\(begin|end)\{(equation|align|alignat|gather)\}/g, '\\$1{$2*}')
      .replaceAll(LABEL, (_, label: string) => (isUntagged ? '' : `\\tag{${numbers.get(label) ?? '?'}}`))
      .replaceAll(/\\(eqref|ref)\{([^{}]*)\}/g, (_, command: string, label: string) => {
        const number = numbers.get(label) ?? '?';
        return `\\text{${command === 'eqref' ? `(${number})` : number}}`;
      })
  );
}

/** The tags of a formula's rows, in order, as they are read. */
export function tagsOf(tex: string): string[] {
  return [...tex.matchAll(/\\tag(\*?)\{([^{}]*)\}/g)].map(([, star, tag = '']) => (star ? tag : `(${tag})`));
}

const LABEL = /\\label\{([^{}]*)\}/g;
