import { useLayoutEffect, useState } from 'react';
import type { Found } from './find';
import styles from './PdfPage.module.css';

/** What was found on one page, and which of it is gone to. */
export interface Marked {
  found: readonly Found[];
  now: Found | undefined;
  /** Called with the mark that is gone to, once it is there. */
  onNow(mark: HTMLElement): void;
}

interface Box {
  found: Found;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Marks over the words that were found; `words` is the layer of words, piece by piece. */
export function Marks({ words, marked: { found, now, onNow } }: { words: readonly HTMLElement[]; marked: Marked }) {
  const [boxes, setBoxes] = useState<Box[]>([]);
  useLayoutEffect(() => setBoxes(found.flatMap((one) => boxesOf(one, words))), [found, words]);
  const first = boxes.find((box) => box.found === now);
  return boxes.map((box) => (
    <span
      key={`${box.left} ${box.top} ${box.width}`}
      ref={box === first ? (mark) => void (mark && onNow(mark)) : undefined}
      className={styles.mark}
      data-now={box.found === now || undefined}
      style={{ left: box.left, top: box.top, width: box.width, height: box.height }}
    />
  ));
}

function boxesOf(found: Found, words: readonly HTMLElement[]): Box[] {
  return found.parts.flatMap(({ piece, start, end }) => {
    const text = words[piece]?.firstChild;
    const page = words[piece]?.closest('[data-page-number]')?.getBoundingClientRect();
    if (!text || !page) return [];
    const length = text.textContent?.length ?? 0;
    const range = document.createRange();
    range.setStart(text, Math.min(start, length));
    range.setEnd(text, Math.min(end, length));
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
    return boxes.map(({ left, top, width, height }) => ({
      found,
      left: left - page.left,
      top: top - page.top,
      width,
      height,
    }));
  });
}
