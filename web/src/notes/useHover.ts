import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { type ResolvedLink, resolveLink } from './api';

/** Milliseconds that the mouse rests on a link before its note is shown. */
const REST = 400;
/** The room that a preview needs below a link, in pixels. */
const ROOM = 300;

/** A note that is shown beside its link. */
interface Hovered {
  readonly found: ResolvedLink;
  readonly style: CSSProperties;
}

/** Shows the note behind a wiki link while the mouse rests on it. */
export function useHover(from: string, inside: string) {
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onLeave = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setHovered(null);
  };
  const onEnter = (link: HTMLElement) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      const asked = timer.current;
      const found = await resolveLink(from, inside.split('|')[0]?.trim() ?? '', 'wiki').catch(() => null);
      if (!found?.is_note || found.excerpt.trim() === '' || timer.current !== asked || !link.isConnected) return;
      setHovered({ found, style: placeBy(link.getBoundingClientRect()) });
    }, REST);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return { hovered, onEnter, onLeave };
}

/** Below the link, or above it where there is no room. */
function placeBy({ left, top, bottom }: DOMRect): CSSProperties {
  const x = Math.max(4, Math.min(left, innerWidth - 440));
  return bottom + ROOM < innerHeight ? { left: x, top: bottom + 4 } : { left: x, bottom: innerHeight - top + 4 };
}
