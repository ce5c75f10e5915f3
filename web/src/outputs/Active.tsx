import { useEffect, useRef, useState } from 'react';
import { basePath } from '../app/base';
import styles from './Outputs.module.css';

/** The tallest that an output makes itself, in pixels. */
const TALLEST = 2000;

/**
 * Markup with scripts, of a notebook that is trusted: in a frame without an origin, whose page the server sends with a
 * policy that lets it reach neither this page nor any network. All that comes back is how tall it is.
 */
export function Active({ html, title = 'Output with scripts of its own' }: { html: string; title?: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(120);
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent) => {
      if (source === null || source !== frame.current?.contentWindow) return;
      const tall = (data as { height?: unknown } | null)?.height;
      if (typeof tall === 'number' && tall > 0) setHeight(Math.min(TALLEST, Math.ceil(tall)));
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, []);
  return (
    // Each markup has a page of its own, to which it is sent once: scripts that declare a name can't run twice in one.
    <iframe
      key={html}
      ref={frame}
      className={styles.frame}
      title={title}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      src={`${basePath}output-frame`}
      style={{ height }}
      onLoad={() => frame.current?.contentWindow?.postMessage({ html }, '*')}
    />
  );
}
