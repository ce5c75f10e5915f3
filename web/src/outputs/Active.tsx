import { useEffect, useRef, useState } from 'react';
import { basePath } from '../app/base';
import { runCommand } from '../app/commands';
import styles from './Outputs.module.css';

/** The tallest that an output makes itself, in pixels. */
const TALLEST = 2000;

/**
 * Markup with scripts, of a notebook that is trusted: in a frame without an origin, whose page the server sends with a
 * policy that lets it reach neither this page nor any network. All that comes back is how tall it is, and which host it
 * asked for.
 */
export function Active({ html, title = 'Output with scripts' }: { html: string; title?: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(120);
  const [asked, setAsked] = useState<{ html: string; host: string } | null>(null);
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent) => {
      if (source === null || source !== frame.current?.contentWindow) return;
      const { height: tall, blocked, save } = (data ?? {}) as { height?: unknown; blocked?: unknown; save?: unknown };
      const host = typeof blocked === 'string' ? hostOf(blocked) : null;
      if (host) setAsked((before) => (before?.html === html ? before : { html, host }));
      if (save === true && isTypedIn(frame.current)) runCommand('file.save');
      if (typeof tall === 'number' && tall > 0) setHeight(Math.min(TALLEST, Math.ceil(tall)));
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, [html]);
  return (
    <>
      {/* Each markup has a page of its own, to which it is sent once: scripts that declare a name can't run twice in one. */}
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
      {asked?.html === html && (
        <p className={styles.note}>
          Blocked a request to {asked.host}: outputs can’t use the network. Many libraries can embed their files
          instead.
        </p>
      )}
    </>
  );
}

/** A script can say that a key was pressed; then the keyboard has to be there, and in use. */
function isTypedIn(frame: HTMLIFrameElement): boolean {
  return document.activeElement === frame && navigator.userActivation.isActive;
}

/** Whose address it is; null for what names no other machine. */
function hostOf(address: string): string | null {
  return /^https?:/i.test(address) ? (URL.parse(address)?.host ?? null) : null;
}
