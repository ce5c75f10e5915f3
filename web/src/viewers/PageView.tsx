import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { basePath } from '../app/base';
import { inertMarkup } from '../outputs/policy';
import { Button } from '../ui/Button';
import { inlined } from './page';
import { Unshown } from './Unshown';
import { useFileBytes } from './useFileBytes';
import styles from './Viewer.module.css';
import { ViewerBar } from './ViewerBar';
import { sizeWords } from './words';

/** The most bytes of a page that is shown. */
const MOST = 20 << 20;

/**
 * An HTML file as a page: in a frame without an origin, which reaches neither this page nor any network. Its scripts run only
 * when the person asks for that.
 */
export default function PageView({ path }: { path: string }) {
  const { bytes, failure } = useFileBytes(path);
  const [scripts, setScripts] = useState(false);
  const text = useMemo(() => (bytes && bytes.length <= MOST ? new TextDecoder().decode(bytes) : null), [bytes]);
  const html = useInlined(text, path);
  const title = `Page ${path.slice(path.lastIndexOf('/') + 1)}`;
  if (failure) return <Unshown path={path} message={failure.message} hint={failure.hint} hasSource />;
  if (bytes && text === null) {
    return <Unshown path={path} message={`The page is too large to be shown: ${sizeWords(bytes.length)}`} hasSource />;
  }
  return (
    <div className={styles.view}>
      <ViewerBar path={path} facts={bytes && sizeWords(bytes.length)}>
        <Button
          look="quiet"
          aria-pressed={scripts}
          title="The page can’t reach the network"
          onClick={() => setScripts(!scripts)}
        >
          Run scripts
        </Button>
      </ViewerBar>
      {html !== null && (scripts ? <ActivePage html={html} title={title} /> : <StillPage html={html} title={title} />)}
    </div>
  );
}

/** A page whose scripts don't run. */
function StillPage({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  // By hand: React would make a plain text of what the browser takes as checked markup.
  useLayoutEffect(() => {
    if (frame.current) frame.current.srcdoc = inertMarkup(html);
  }, [html]);
  return <iframe ref={frame} className={styles.frame} title={title} sandbox="" referrerPolicy="no-referrer" />;
}

/** A page with its scripts: the server sends the frame with a policy of its own. */
function ActivePage({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  return (
    <iframe
      key={html}
      ref={frame}
      className={styles.frame}
      title={title}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      src={`${basePath}output-frame`}
      onLoad={() => frame.current?.contentWindow?.postMessage({ html }, '*')}
    />
  );
}

/** The page with the pictures, styles and scripts of the workspace that it names in it. */
function useInlined(text: string | null, path: string): string | null {
  const [html, setHtml] = useState<string | null>(null);
  useEffect(() => {
    if (text === null) return;
    let gone = false;
    void inlined(text, path).then((whole) => !gone && setHtml(whole));
    return () => {
      gone = true;
    };
  }, [text, path]);
  return html;
}
