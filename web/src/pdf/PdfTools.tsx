import { useEffect, useState } from 'react';
import { keyLabel } from '../app/keymap';
import { bytesUrl } from '../files/bytes';
import { IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import styles from './PdfView.module.css';
import { stepped, type Zoom } from './zoom';

interface PdfToolsProps {
  path: string;
  page: number;
  pages: number;
  scale: number;
  dark: boolean;
  finding: boolean;
  onFind(): void;
  onPage(page: number): void;
  onZoom(zoom: Zoom): void;
  onDark(): void;
}

/** Above the pages: which one, how large, how dark, and the file itself. */
export function PdfTools(props: PdfToolsProps) {
  const { path, page, pages, scale, dark, finding, onFind, onPage, onZoom, onDark } = props;
  return (
    <div className={styles.tools} role="toolbar" aria-label="PDF">
      <PageNumber page={page} pages={pages} onPage={onPage} />
      <span className={styles.gap} />
      <IconButton
        icon="search"
        label="Find in PDF"
        title={`Find in PDF (${keyLabel('Mod-f')})`}
        aria-pressed={finding}
        onClick={onFind}
      />
      <IconButton icon="bar" label="Zoom out" onClick={() => onZoom(stepped(scale, -1))} />
      <button type="button" className={styles.scale} title="Fit to width" onClick={() => onZoom('width')}>
        {Math.round(scale * 100)} %
      </button>
      <IconButton icon="plus" label="Zoom in" onClick={() => onZoom(stepped(scale, 1))} />
      <IconButton icon="theme" label="Dark pages" aria-pressed={dark} onClick={onDark} />
      <a className={styles.download} href={bytesUrl(path)} download={path.slice(path.lastIndexOf('/') + 1)}>
        <Icon name="download" />
        <span className="visually-hidden">Download</span>
      </a>
    </div>
  );
}

function PageNumber({ page, pages, onPage }: Pick<PdfToolsProps, 'page' | 'pages' | 'onPage'>) {
  const [typed, setTyped] = useState(String(page));
  useEffect(() => setTyped(String(page)), [page]);
  const go = () => {
    const number = Number(typed);
    if (Number.isInteger(number) && number >= 1 && number <= pages) onPage(number);
    else setTyped(String(page));
  };
  return (
    <label className={styles.page}>
      Page
      <input
        inputMode="numeric"
        size={3}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setTyped(String(page))}
        onKeyDown={(event) => event.key === 'Enter' && go()}
      />
      of {pages}
    </label>
  );
}
