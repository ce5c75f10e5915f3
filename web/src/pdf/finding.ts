/** What is looked for in a PDF, what was found, and where in that somebody is. */
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useMemo, useState } from 'react';
import { type Found, findOn, firstFrom, MOST_FOUND } from './find';
import { type Texts, useTexts } from './texts';

/** A search. */
export interface Finding {
  query: string;
  found: readonly Found[];
  /** Which of them is gone to. */
  at: number;
  /** How often somebody went to one: the page scrolls then, and at no other time. */
  jumps: number;
  texts: Texts;
  pages: number;
  look(query: string): void;
  go(by: 1 | -1): void;
}

/** Searches for as long as `open`; it begins at the page that is looked at. */
export function useFinding(pdf: PDFDocumentProxy | null, open: boolean, page: number): Finding {
  const [{ query, from, step, jumps }, set] = useState({ query: '', from: 1, step: 0, jumps: 0 });
  const texts = useTexts(open ? pdf : null);
  const found = useMemo(() => {
    const all: Found[] = [];
    for (const [index, text] of texts.pages.entries()) {
      if (all.length < MOST_FOUND) all.push(...findOn(text, index + 1, query));
    }
    return all;
  }, [texts, query]);
  // What is found on pages that are read later comes behind: the place that was gone to stays.
  const begin = firstFrom(found, from);
  const at = found.length === 0 ? 0 : (((begin + step) % found.length) + found.length) % found.length;
  return {
    query: open ? query : '',
    found: open ? found : [],
    at,
    jumps,
    texts,
    pages: pdf?.numPages ?? 0,
    look: (query) => set({ query, from: page, step: 0, jumps: jumps + 1 }),
    go: (by) => set({ query, from, step: step + by, jumps: jumps + 1 }),
  };
}
