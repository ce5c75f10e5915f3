/** The texts of a PDF's pages, read one after the other while somebody looks for something. */
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import { type Comparable, comparable, type PageText } from './find';

/** Those that were read so far. */
export interface Texts {
  pages: readonly Comparable[];
  whole: boolean;
}

const NONE: Texts = { pages: [], whole: false };
/** Milliseconds between two moments at which what was read shows. */
const SHOW_EVERY = 100;

/** Reads the pages' texts; nothing without a PDF. What was read of a version before is forgotten. */
export function useTexts(pdf: PDFDocumentProxy | null): Texts {
  const [texts, setTexts] = useState(NONE);
  useEffect(() => {
    setTexts(NONE);
    if (!pdf) return;
    let gone = false;
    const read = async () => {
      const pages: Comparable[] = [];
      let shown = performance.now();
      for (let number = 1; number <= pdf.numPages; number++) {
        // A page that is broken has no words.
        pages.push(comparable(await textOf(pdf, number).catch(() => ({ pieces: [], ends: [] }))));
        if (gone) return;
        if (number < pdf.numPages && performance.now() - shown < SHOW_EVERY) continue;
        shown = performance.now();
        setTexts({ pages: [...pages], whole: number === pdf.numPages });
      }
    };
    void read();
    return () => {
      gone = true;
    };
  }, [pdf]);
  return texts;
}

/** The pieces are those that the layer of words over a page has, in its order. */
async function textOf(pdf: PDFDocumentProxy, number: number): Promise<PageText> {
  const { items } = await (await pdf.getPage(number)).getTextContent();
  const written = items.filter((item) => 'str' in item);
  return { pieces: written.map(({ str }) => str), ends: written.map(({ hasEOL }) => hasEOL) };
}
