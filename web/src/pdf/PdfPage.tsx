import { type PDFDocumentProxy, type PDFPageProxy, TextLayer } from 'pdfjs-dist';
import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { goToSource, usePdfWishes } from '../latex/places';
import { type Marked, Marks } from './Marks';
import styles from './PdfPage.module.css';
import type { PageSize } from './usePdf';

interface PdfPageProps {
  path: string;
  pdf: PDFDocumentProxy;
  number: number;
  scale: number;
  /** The size to expect, until its own is known. */
  size: PageSize;
  /** What was found on it, if something is looked for. */
  marked: Marked | null;
}

/** One page: drawn only while it is near what is seen, and kept until its next version is drawn. */
export function PdfPage({ path, pdf, number, scale, size, marked }: PdfPageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const near = useNear(frame);
  const [own, setOwn] = useState(size);
  const words = useDrawn(frame, near ? pdf : null, number, scale, setOwn);
  const toSource = ({ clientX, clientY }: MouseEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (box) void goToSource(path, number, (clientX - box.left) / scale, (clientY - box.top) / scale);
  };
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) toSource(event);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: from the keyboard, the editor and the list of problems lead to places.
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a page; a click asks where it came from.
    <div
      ref={frame}
      className={styles.page}
      data-page-number={number}
      style={{ width: own.width * scale, height: own.height * scale, ['--total-scale-factor' as string]: scale }}
      onDoubleClick={toSource}
      onClick={onClick}
    >
      {words && marked && <Marks words={words} marked={marked} />}
      <Areas path={path} number={number} scale={scale} />
    </div>
  );
}

/** The frame around what the source asked to see. */
function Areas({ path, number, scale }: { path: string; number: number; scale: number }) {
  const wish = usePdfWishes((wishes) => wishes[path]);
  const areas = wish?.areas.filter((area) => area.page === number) ?? [];
  return areas.map(({ x, y, width, height }) => (
    <span
      key={`${wish?.count} ${x} ${y}`}
      className={styles.area}
      style={{ left: x * scale, top: y * scale, width: width * scale, height: height * scale }}
    />
  ));
}

function useNear(frame: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const options = { root: element.parentElement, rootMargin: '600px 0px' };
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), options);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return near;
}

/**
 * Draws a page into its frame, in place of what was drawn before; nothing is left of a page that is far away. Returns the
 * words over it, as they are laid out.
 */
function useDrawn(
  frame: RefObject<HTMLElement | null>,
  pdf: PDFDocumentProxy | null,
  number: number,
  scale: number,
  onSize: (size: PageSize) => void,
): readonly HTMLElement[] | null {
  const [words, setWords] = useState<readonly HTMLElement[] | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const clear = () => {
      for (const old of element.querySelectorAll('[data-drawn]')) old.remove();
    };
    if (!pdf) {
      setWords(null);
      return clear();
    }
    let gone = false;
    let cancel = () => {};
    const draw = async () => {
      const page = await pdf.getPage(number);
      if (gone) return;
      const { width, height } = page.getViewport({ scale: 1 });
      onSize({ width, height });
      const drawing = drawn(page, scale);
      cancel = drawing.cancel;
      const layers = await drawing.layers;
      if (gone) return;
      clear();
      element.prepend(...layers);
      setWords(drawing.words());
    };
    // A drawing that was given up, or a page that is broken: what was there stays.
    void draw().catch(() => {});
    return () => {
      gone = true;
      cancel();
    };
  }, [frame, pdf, number, scale, onSize]);
  return words;
}

/** Pixels of one canvas: beyond, the screen's own are not all used. */
const MOST_PIXELS = 16_000_000;

function drawn(page: PDFPageProxy, scale: number) {
  const viewport = page.getViewport({ scale });
  const fits = Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height));
  const ratio = Math.min(devicePixelRatio, fits);
  const canvas = document.createElement('canvas');
  canvas.width = Math.floor(viewport.width * ratio);
  canvas.height = Math.floor(viewport.height * ratio);
  canvas.dataset.drawn = '';
  canvas.setAttribute('aria-hidden', 'true');
  const text = document.createElement('div');
  text.className = styles.text ?? '';
  text.dataset.drawn = '';
  const task = page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0] });
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport });
  const cancel = () => {
    task.cancel();
    layer.cancel();
  };
  const words = () => [...layer.textDivs];
  return { cancel, words, layers: Promise.all([task.promise, layer.render()]).then(() => [canvas, text]) };
}
