// biome-ignore-all lint/suspicious/noArrayIndexKey: a byte is its place.
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable.
import { type KeyboardEvent, useEffect, useMemo, useReducer, useState } from 'react';
import { readRange } from '../files/bytes';
import { useArrival } from '../frames/useArrival';
import { Input } from '../ui/Field';
import { useVirtualRows } from '../ui/virtualRows';
import { Unshown } from '../viewers/Unshown';
import viewer from '../viewers/Viewer.module.css';
import { ViewerBar } from '../viewers/ViewerBar';
import { sizeWords } from '../viewers/words';
import { connection } from '../wire/connection';
import { failureOf } from '../wire/requests';
import styles from './BytesView.module.css';
import { hexOf, letterOf, meanings, PER_ROW, placeIn, placeWords } from './decode';
import { BytePages } from './pages';

/** Pixels of a row. */
const ROW = 20;

/** The bytes of a file as numbers and letters, 16 in a row, of any size. Arrows walk them. */
export default function BytesView({ path, tab }: { path: string; tab: string }) {
  const pages = usePages(path);
  const size = pages.size ?? 0;
  const view = useVirtualRows<HTMLDivElement>(Math.ceil(size / PER_ROW), ROW);
  const [at, setAt] = useState(0);
  const [little, setLittle] = useState(true);
  useArrival(tab, () => view.scroller.current);
  if (pages.failure && pages.size === null) {
    const { message, hint } = failureOf(pages.failure);
    return <Unshown path={path} message={message} hint={hint} />;
  }
  const go = (place: number) => {
    const next = Math.max(0, Math.min(size - 1, place));
    setAt(next);
    view.reveal(Math.floor(next / PER_ROW));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event, at, size, view.page * PER_ROW);
    if (step === null) return;
    event.preventDefault();
    go(step);
  };
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    <div className={viewer.view}>
      <ViewerBar path={path} facts={pages.size === null ? 'Reading…' : sizeWords(size)}>
        <GoTo size={size} onGo={go} />
      </ViewerBar>
      <section
        ref={view.scroller}
        className={styles.bytes}
        aria-label={`Bytes of ${name}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={({ target }) => {
          const byte = target instanceof HTMLElement ? target.dataset.place : undefined;
          if (byte !== undefined) setAt(Number(byte));
        }}
      >
        <div className={styles.all} style={{ height: view.height }}>
          <div className={styles.rows} style={{ top: view.before }}>
            {Array.from({ length: Math.max(0, view.end - view.first) }, (_, index) => (
              <Row key={view.first + index} place={(view.first + index) * PER_ROW} pages={pages} size={size} at={at} />
            ))}
          </div>
        </div>
      </section>
      <footer className={styles.foot}>
        <span>Byte {at.toLocaleString('en')}</span>
        <button type="button" onClick={() => setLittle(!little)} title="The order of the bytes of a number">
          {little ? 'Little endian' : 'Big endian'}
        </button>
        <dl aria-live="off">
          {meanings(pages.slice(at, 8), little).map(([kind, value]) => (
            <div key={kind}>
              <dt>{kind}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </footer>
    </div>
  );
}

function usePages(path: string): BytePages {
  const [, changed] = useReducer((count: number) => count + 1, 0);
  const pages = useMemo(() => new BytePages(path, changed, readRange), [path]);
  useEffect(() => {
    const folder = path.split('/').slice(0, -1).join('/');
    const stop = connection.on('files_changed', ({ folders }) => folders.includes(folder) && pages.refresh());
    return () => {
      stop();
      pages.close();
    };
  }, [path, pages]);
  return pages;
}

function GoTo({ size, onGo }: { size: number; onGo(place: number): void }) {
  const [text, setText] = useState('');
  const place = placeIn(text, size);
  return (
    <Input
      className={styles.goTo}
      aria-label="Go to byte"
      placeholder="Go to 0x…"
      value={text}
      aria-invalid={text !== '' && place === null}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={({ key }) => key === 'Enter' && place !== null && onGo(place)}
    />
  );
}

function Row({ place, pages, size, at }: { place: number; pages: BytePages; size: number; at: number }) {
  const count = Math.max(0, Math.min(PER_ROW, size - place));
  const bytes = Array.from({ length: count }, (_, index) => pages.at(place + index));
  return (
    <div className={styles.row}>
      <span className={styles.place}>{placeWords(place, size)}</span>
      <span className={styles.digits}>
        {bytes.map((byte, index) => (
          <span
            key={index}
            data-place={place + index}
            data-at={place + index === at || undefined}
            data-zero={byte === 0 || undefined}
          >
            {byte === null ? '··' : hexOf(byte)}
          </span>
        ))}
      </span>
      <span className={styles.letters}>
        {bytes.map((byte, index) => (
          <span key={index} data-place={place + index} data-at={place + index === at || undefined}>
            {byte === null ? ' ' : letterOf(byte)}
          </span>
        ))}
      </span>
    </div>
  );
}

function stepOf({ key, ctrlKey, metaKey }: KeyboardEvent, at: number, size: number, page: number): number | null {
  const far = ctrlKey || metaKey;
  switch (key) {
    case 'ArrowRight':
      return at + 1;
    case 'ArrowLeft':
      return at - 1;
    case 'ArrowDown':
      return at + PER_ROW;
    case 'ArrowUp':
      return at - PER_ROW;
    case 'PageDown':
      return at + page;
    case 'PageUp':
      return at - page;
    case 'Home':
      return far ? 0 : at - (at % PER_ROW);
    case 'End':
      return far ? size - 1 : at - (at % PER_ROW) + PER_ROW - 1;
    default:
      return null;
  }
}
