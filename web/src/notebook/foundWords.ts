// Marks what is looked for in what a Markdown cell says. Its elements stay as they are: where the browser can't mark words
// beside them, none are.
import { type RefObject, useEffect } from 'react';
import { sourceText } from './cells';
import { placesIn, type Query } from './find';
import { useNotebook, useShown } from './view';

const NAMES = ['aside-found', 'aside-found-last'] as const;

/** Marks the words in an element for as long as they are looked for; of a place that was found last, its own more. */
export function useFoundWords(cellKey: string, element: RefObject<HTMLElement | null>): void {
  const { observed } = useNotebook();
  const query = useShown((shown) => shown.query);
  const found = useShown((shown) => (shown.found?.key === cellKey ? shown.found : null));
  useEffect(() => {
    const around = element.current;
    if (!around || !query || !('highlights' in CSS)) return;
    const places = placesIn(sourceText(observed.doc, cellKey), query);
    const last = places.findIndex(({ from }) => from === found?.from);
    let marked: Range[] = [];
    const unmark = () => {
      for (const name of NAMES) for (const range of marked) highlight(name).delete(range);
    };
    const mark = () => {
      unmark();
      marked = rangesIn(around, query);
      // Which of the words it is can be told if all that stand in the text are shown.
      const isLast = (at: number) => at === last && marked.length === places.length;
      for (const [at, range] of marked.entries()) highlight(NAMES[isLast(at) ? 1 : 0]).add(range);
    };
    mark();
    // Its parts come one after the other.
    const observer = new MutationObserver(mark);
    observer.observe(around, { subtree: true, childList: true, characterData: true });
    return () => {
      observer.disconnect();
      unmark();
    };
  }, [observed, cellKey, element, query, found]);
}

function highlight(name: string): Highlight {
  const known = CSS.highlights.get(name) ?? new Highlight();
  CSS.highlights.set(name, known);
  return known;
}

function rangesIn(element: Element, query: Query): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const { from, to } of placesIn(texts.currentNode.textContent ?? '', query)) {
      const range = new Range();
      range.setStart(texts.currentNode, from);
      range.setEnd(texts.currentNode, to);
      ranges.push(range);
    }
  }
  return ranges;
}
