import { useEffect, useRef } from 'react';
import { writesElsewhere } from '../ui/attention';
import { useFrames } from './store';

/** Puts the keyboard where a page begins when somebody went to it, once there is such a place. */
export function useArrival(tab: string, start: () => HTMLElement | null | undefined): void {
  const reveal = useFrames((state) => state.reveals[tab]);
  const arrived = useRef(0);
  // After every render: what it looks for may come late.
  useEffect(() => {
    const element = reveal && arrived.current !== reveal.count ? start() : null;
    if (!reveal || !element) return;
    arrived.current = reveal.count;
    if (reveal.focus && !writesElsewhere(reveal.at)) element.focus();
  });
}
