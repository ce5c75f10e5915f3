import { type MouseEvent, useContext, useLayoutEffect, useRef } from 'react';
import { follow, LinkContext, type LinkPlace, targetFrom } from '../markdown/places';
import { makeReadable } from './inks';
import styles from './Outputs.module.css';
import { LINK, sanitised } from './sanitise';

/** Markup of an output, without anything that could run or reach out, in a root of its own. */
export default function Html({ text }: { text: string }) {
  const host = useRef<HTMLDivElement>(null);
  const place = useContext(LinkContext);
  useLayoutEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const style = document.createElement('style');
    style.textContent = LOOK;
    root.replaceChildren(sanitised(text));
    // Before the page's own look is there, whose stripes are no ground that the markup chose.
    makeReadable(root);
    root.prepend(style);
  }, [text]);
  // What surrounds the root is out of the reach of its styles: nothing in it can lie over the page.
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable
    <figure className={styles.html} aria-label="Output" tabIndex={0}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links in it are what is pressed */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
      <div ref={host} onClick={(event) => onClick(event, place)} />
    </figure>
  );
}

/** Follows a link within the workspace. */
function onClick(event: MouseEvent, place: LinkPlace): void {
  const path = event.nativeEvent.composedPath();
  const link = path.find((element) => element instanceof Element && element.hasAttribute(LINK)) as Element | undefined;
  if (!link) return;
  event.preventDefault();
  const target = targetFrom(link.getAttribute(LINK) ?? '', place);
  if (target) follow(target, place);
}

/** Tables as those of data frames are meant to look, in the page's own colours; one with a look of its own keeps that. */
const LOOK = `
  :host { color: var(--fg); font: 400 var(--text-2) / 1.25rem var(--font-ui); }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  caption { text-align: start; white-space: nowrap; }
  th, td { padding: 2px 8px; border: 0; text-align: end; vertical-align: top; }
  thead { border-block-end: 1px solid var(--line-strong); }
  :where(.dataframe, table:not([class])) > tbody > tr:nth-child(even) { background: var(--bg-2); }
  pre, code { font-family: var(--font-code); }
  a { color: var(--accent); }
  img, svg { max-width: 100%; }
`;
