import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useArrival } from '../frames/useArrival';
import { usePdfWishes } from '../latex/places';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Notice } from '../ui/Notice';
import { sentence } from '../ui/sentence';
import { type Finding, useFinding } from './finding';
import type { Marked } from './Marks';
import { PdfFind } from './PdfFind';
import { PdfPage } from './PdfPage';
import { PdfTools } from './PdfTools';
import styles from './PdfView.module.css';
import { keepPlace, keptPlace, pageElement, pagesOf, usePlace } from './place';
import { usePdf } from './usePdf';
import { fitted, stepped, type Zoom } from './zoom';

/** The pages of a PDF. It keeps its place when the file is made anew. */
export default function PdfView({ path, tab }: { path: string; tab: string }) {
  const { pdf, size, failure, again } = usePdf(path);
  const scroller = useRef<HTMLDivElement>(null);
  const view = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState<Zoom>(() => keptPlace(tab).zoom);
  const [dark, setDark] = useState(() => keptPlace(tab).dark);
  const [page, setPage] = useState(1);
  const [looks, setLooks] = useState(false);
  const finding = useFinding(pdf, looks, page);
  const width = useWidth(scroller, pdf !== null);
  const scale = size ? fitted(zoom, width, size.width) : 1;
  useArrival(tab, () => scroller.current);
  const moved = usePlace(tab, scroller, width > 0 ? (pdf?.numPages ?? 0) : 0, scale);
  useEffect(() => keepPlace(tab, { zoom, dark }), [tab, zoom, dark]);
  useWish(path, scroller, pdf, scale, moved);
  const markedOn = useMarked(scroller, finding, looks, moved);
  if (!pdf || !size) return <Waiting failure={failure?.message} again={again} />;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') setZoom(stepped(scale, 1));
    else if (event.key === '-') setZoom(stepped(scale, -1));
    else if (event.key === '0') setZoom('width');
    else return;
    event.preventDefault();
  };
  const close = () => {
    setLooks(false);
    scroller.current?.focus();
  };
  const onFindKey = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    const mod = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (mod && key === 'f' && !event.shiftKey) {
      setLooks(true);
      view.current?.querySelector<HTMLInputElement>('search input')?.select();
    } else if (looks && ((mod && key === 'g') || event.key === 'F3')) finding.go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are for whatever in it has the focus.
    <div ref={view} className={styles.view} onKeyDown={onFindKey}>
      <PdfTools
        path={path}
        page={page}
        pages={pdf.numPages}
        scale={scale}
        dark={dark}
        finding={looks}
        onFind={() => (looks ? close() : setLooks(true))}
        onPage={(number) => {
          pageElement(scroller.current, number)?.scrollIntoView({ block: 'start' });
          moved();
        }}
        onZoom={setZoom}
        onDark={() => setDark(!dark)}
      />
      {looks && <PdfFind finding={finding} onClose={close} />}
      {/* biome-ignore lint/a11y/useSemanticElements: it is what scrolls, and has a name of its own. */}
      <div
        ref={scroller}
        role="region"
        aria-label={`Pages of ${path}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable.
        tabIndex={0}
        className={styles.scroller}
        data-dark={dark}
        onKeyDown={onKeyDown}
        onScroll={() => setPage(pageAt(scroller.current) ?? 1)}
      >
        {Array.from({ length: pdf.numPages }, (_, index) => index + 1).map((number) => (
          <PdfPage
            key={number}
            path={path}
            pdf={pdf}
            number={number}
            scale={scale}
            size={size}
            marked={markedOn(number)}
          />
        ))}
      </div>
    </div>
  );
}

function Waiting({ failure, again }: { failure: string | undefined; again(): void }) {
  if (failure === undefined) {
    return (
      <p className={styles.wait}>
        <Icon name="spinner" /> Opening…
      </p>
    );
  }
  return (
    <Notice icon="file" title="Couldn’t open the PDF">
      <p>{sentence(failure)}</p>
      <Button icon="retry" onClick={again}>
        Retry
      </Button>
    </Notice>
  );
}

type Scroller = RefObject<HTMLDivElement | null>;

function useWidth(scroller: Scroller, ready: boolean): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ready ? scroller.current : null;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, ready]);
  return width;
}

/** Scrolls to what the source asked to see; the page itself draws the frame around it. */
function useWish(
  path: string,
  scroller: Scroller,
  pdf: PDFDocumentProxy | null,
  scale: number,
  moved: () => void,
): void {
  const wish = usePdfWishes((wishes) => wishes[path]);
  const seen = useRef(0);
  useEffect(() => {
    const [area] = wish?.areas ?? [];
    const view = scroller.current;
    const page = area && pageElement(view, area.page);
    if (!wish || !page || !view || !pdf || seen.current === wish.count) return;
    seen.current = wish.count;
    view.scrollTo({ top: page.offsetTop + area.y * scale - view.clientHeight / 3 });
    moved();
  }, [wish, scroller, pdf, scale, moved]);
}

/** What is marked on each page; whoever goes to a place has it brought into sight, once. */
function useMarked(
  scroller: Scroller,
  { found, at, jumps }: Finding,
  open: boolean,
  moved: () => void,
): (page: number) => Marked | null {
  const served = useRef(0);
  const now = found[at];
  // Marks of pages that are drawn already have been there before this.
  useEffect(() => {
    if (!now || served.current === jumps) return;
    pageElement(scroller.current, now.page)?.scrollIntoView({ block: 'start' });
    moved();
  }, [now, jumps, scroller, moved]);
  const onNow = (mark: HTMLElement) => {
    if (served.current === jumps) return;
    served.current = jumps;
    mark.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    moved();
  };
  const byPage = Map.groupBy(found, (one) => one.page);
  return (page) => (open ? { found: byPage.get(page) ?? NOTHING, now, onNow } : null);
}

const NOTHING: Marked['found'] = [];

/** The page in the middle of what is seen. */
function pageAt(scroller: HTMLElement | null): number | null {
  if (!scroller) return null;
  const middle = scroller.scrollTop + scroller.clientHeight / 2;
  const found = pagesOf(scroller).findLast((page) => page.offsetTop <= middle);
  return found ? Number(found.dataset.pageNumber) : null;
}
