import { useEffect, useRef } from 'react';
import { Button } from './Button';
import styles from './More.module.css';

/** Reads on when it comes into sight; a button for those who don't scroll. */
export function More({ busy, onSeen }: { busy: boolean; onSeen(): void }) {
  const element = useRef<HTMLDivElement>(null);
  const seen = useRef(onSeen);
  seen.current = onSeen;
  useEffect(() => {
    if (busy || !element.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen.current(), {
      rootMargin: '600px',
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [busy]);
  return (
    <div ref={element} className={styles.more}>
      <Button disabled={busy} onClick={onSeen}>
        {busy ? 'Loading…' : 'Show older'}
      </Button>
    </div>
  );
}
