import { useLayoutEffect, useRef } from 'react';
import styles from './Markdown.module.css';
import { drawFormula } from './tex';

/** A formula. */
export default function Formula({ tex, block }: { tex: string; block: boolean }) {
  const host = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (host.current) drawFormula(tex, host.current, block);
  }, [tex, block]);
  return <span ref={host} className={block ? styles.formula : undefined} />;
}
