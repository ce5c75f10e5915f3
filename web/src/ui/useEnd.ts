import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Pixels from the end within which one is at the end. */
const NEAR = 48;

/**
 * Follows the end of a conversation as it grows, until the person scrolls away from it; another `key` starts at its own. What has
 * not begun is read from its top.
 */
export function useEnd(key: string | null, begun: boolean) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(false);
  const follows = useRef(begun);
  const toEnd = () => {
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation starts at its end.
  useLayoutEffect(() => {
    follows.current = begun;
    setAway(false);
    if (begun) toEnd();
  }, [key, begun]);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return;
    const onScroll = () => {
      if (!begun) return;
      follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      setAway(!follows.current);
    };
    const grown = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
    });
    element.addEventListener('scroll', onScroll, { passive: true });
    grown.observe(content.current);
    grown.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      grown.disconnect();
    };
  }, [begun]);
  return { scroller, content, away, toEnd };
}
