import { useEffect, useState } from 'react';
import { equationNumbers } from '../markdown/equations';
import { kindOf, sourceText } from './cells';
import type { NotebookView } from './view';

/** Milliseconds after a change before equations are numbered anew. */
const AFTER = 400;

/** The numbers of the labelled equations of all Markdown cells; the same map as long as they are the same. */
export function useEquations({ observed }: NotebookView): ReadonlyMap<string, number> {
  const [numbers, setNumbers] = useState<ReadonlyMap<string, number>>(() => numbersIn(observed));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const renew = () =>
      setNumbers((before) => {
        const now = numbersIn(observed);
        return JSON.stringify([...now]) === JSON.stringify([...before]) ? before : now;
      });
    const changed = () => {
      clearTimeout(timer);
      timer = setTimeout(renew, AFTER);
    };
    renew();
    const cells = observed.doc.getMap('cells');
    cells.observeDeep(changed);
    return () => {
      clearTimeout(timer);
      cells.unobserveDeep(changed);
    };
  }, [observed]);
  return numbers;
}

function numbersIn({ doc, keys }: NotebookView['observed']): ReadonlyMap<string, number> {
  return equationNumbers(
    keys()
      .filter((key) => kindOf(doc, key) === 'markdown')
      .map((key) => sourceText(doc, key)),
  );
}
