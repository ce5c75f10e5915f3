import { useEffect, useState } from 'react';
import type { Layout } from './mergeEditors';

const KEY = 'aside.compare';

/** Pixels below which two texts have no room beside each other. */
const NARROW = 640;

/** How the texts stand: as the person chose in this browser, but one above the other where there is no room. */
export function useLayoutChoice(host: { readonly current: HTMLElement | null }) {
  const [chosen, setChosen] = useState<Layout>(() => (localStorage.getItem(KEY) === 'unified' ? 'unified' : 'split'));
  const [narrow, setNarrow] = useState(false);
  useEffect(() => {
    const element = host.current?.parentElement;
    if (!element) return;
    const sizes = new ResizeObserver(() => setNarrow(element.clientWidth < NARROW));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [host]);
  const choose = (layout: Layout) => {
    localStorage.setItem(KEY, layout);
    setChosen(layout);
  };
  return { layout: narrow ? ('unified' as const) : chosen, narrow, choose };
}
