import katex from 'katex';
import { useLayoutEffect, useRef } from 'react';
import styles from './Markdown.module.css';

/** Without trust, nothing of a formula becomes a link, a picture or a style; what it can't read it shows. */
const SAFE = { output: 'mathml', throwOnError: false, trust: false, maxExpand: 200, maxSize: 20 } as const;

/** A formula as MathML, which the browser draws and reads aloud: no fonts and no styles are loaded for it. */
export default function Formula({ tex, block }: { tex: string; block: boolean }) {
  const host = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (host.current) katex.render(tex, host.current, { ...SAFE, displayMode: block });
  }, [tex, block]);
  return <span ref={host} className={block ? styles.formula : undefined} />;
}
