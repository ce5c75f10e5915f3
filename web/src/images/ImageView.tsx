import { type ReactNode, useState } from 'react';
import { bytesUrl } from '../files/bytes';
import { useFilePicture } from '../markdown/useFilePicture';
import { stepped } from '../pdf/zoom';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Notice } from '../ui/Notice';
import { sentence } from '../ui/sentence';
import styles from './ImageView.module.css';

/** As large as there is room, or a share of the image's own size. */
type Zoom = 'fit' | number;

interface Size {
  width: number;
  height: number;
}

/** An image file in a pane. It is drawn as an image, so that a script in an SVG never runs. */
export default function ImageView({ path, onSource }: { path: string; onSource?(): void }) {
  const { data, bytes, failure } = useFilePicture(path);
  const [broken, setBroken] = useState<string | null>(null);
  const [size, setSize] = useState<Size | null>(null);
  const [zoom, setZoom] = useState<Zoom>('fit');
  const name = path.slice(path.lastIndexOf('/') + 1);
  const source = onSource && <Button onClick={onSource}>Edit source</Button>;
  if (failure) {
    return (
      <Notice icon="fileImage" title={`${name} can’t be shown`}>
        <p>{sentence(failure.message)}</p>
      </Notice>
    );
  }
  if (broken !== null && broken === data) {
    return (
      <Notice icon="fileImage" title={`${name} can’t be shown`}>
        <p>The file is damaged, or not an image that this browser can show.</p>
        <span className={styles.buttons}>
          <Download path={path} name={name} />
          {source}
        </span>
      </Notice>
    );
  }
  const fits = zoom === 'fit';
  const region = `Picture of ${name}`;
  return (
    <div className={styles.view}>
      <div className={styles.tools} role="toolbar" aria-label="Image">
        <span className={styles.facts}>{factsOf(size, bytes)}</span>
        {source}
        <IconButton icon="bar" label="Zoom out" onClick={() => setZoom(stepped(scaleOf(zoom), -1))} />
        <Choice label="Fit" pressed={zoom === 'fit'} onClick={() => setZoom('fit')} />
        <Choice label="100 %" pressed={zoom === 1} onClick={() => setZoom(1)} />
        {zoom !== 'fit' && zoom !== 1 && <span className={styles.scale}>{Math.round(zoom * 100)} %</span>}
        <IconButton icon="plus" label="Zoom in" onClick={() => setZoom(stepped(scaleOf(zoom), 1))} />
        <Download path={path} name={name} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable */}
      <section className={styles.ground} data-zoom={fits ? 'fit' : 'scale'} tabIndex={0} aria-label={region}>
        {data && (
          <img
            src={data}
            alt={name}
            className={styles.image}
            style={zoom !== 'fit' && size ? { width: size.width * zoom, height: size.height * zoom } : undefined}
            onLoad={({ currentTarget: image }) => setSize({ width: image.naturalWidth, height: image.naturalHeight })}
            onError={() => setBroken(data)}
          />
        )}
      </section>
    </div>
  );
}

function Choice({ label, pressed, onClick }: { label: string; pressed: boolean; onClick(): void }): ReactNode {
  return (
    <Button look="quiet" aria-pressed={pressed} onClick={onClick}>
      {label}
    </Button>
  );
}

function Download({ path, name }: { path: string; name: string }) {
  return (
    <a className={styles.download} href={bytesUrl(path)} download={name} title="Download">
      <Icon name="download" />
      <span className="visually-hidden">Download</span>
    </a>
  );
}

const scaleOf = (zoom: Zoom): number => (zoom === 'fit' ? 1 : zoom);

function factsOf(size: Size | null, bytes: number | undefined): string {
  const facts = [];
  // An SVG without a size of its own has none to tell.
  if (size && size.width > 0) facts.push(`${size.width} × ${size.height}`);
  if (bytes !== undefined) facts.push(bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`);
  return facts.join(' · ');
}
