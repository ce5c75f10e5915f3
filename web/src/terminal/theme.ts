// The colours and letters of a terminal, from the tokens of the page.
import type { ITheme } from '@xterm/xterm';

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
const bright = (name: string) => `bright${name[0]?.toUpperCase()}${name.slice(1)}` as keyof ITheme;

/** How a terminal looks. */
export interface Look {
  readonly theme: ITheme;
  readonly fontFamily: string;
  readonly fontSize: number;
}

/** Reads the look of a terminal in an element, which has the class of the named colours. */
export function lookIn(element: HTMLElement): Look {
  const colour = (token: string) => colourIn(element, `--${token}`);
  const theme: ITheme = {
    background: colour('bg'),
    foreground: colour('fg'),
    cursor: colour('accent'),
    cursorAccent: colour('bg'),
    selectionBackground: colour('select-bg'),
    scrollbarSliderBackground: `${colour('line-strong')}59`,
    scrollbarSliderHoverBackground: `${colour('line-strong')}99`,
    scrollbarSliderActiveBackground: colour('line-strong'),
    overviewRulerBorder: colour('bg'),
  };
  NAMES.forEach((name, at) => {
    theme[name] = colour(`ansi-${at}`);
    (theme as Record<string, string>)[bright(name)] = colour(`ansi-${at + 8}`);
  });
  const { fontFamily, fontSize } = getComputedStyle(element);
  return { theme, fontFamily, fontSize: Number.parseFloat(fontSize) || 13 };
}

/** The colour of a token in an element, as `#rrggbb`: xterm reads no other in all places. */
export function colourIn(element: HTMLElement, token: string): string {
  const probe = element.appendChild(document.createElement('span'));
  // A name that stands for another is a colour only once the browser has worked it out.
  probe.style.color = `var(${token})`;
  const parts = getComputedStyle(probe).color.match(/[\d.]+/g) ?? [];
  probe.remove();
  return `#${parts
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;
}

/** Calls back when the look of the page may have changed: its theme, a size, what the system wants. */
export function followLook(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const contrast = matchMedia('(prefers-contrast: more)');
  const attributes = new MutationObserver(changed);
  attributes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'style', 'class'] });
  for (const query of [dark, contrast]) query.addEventListener('change', changed);
  return () => {
    attributes.disconnect();
    for (const query of [dark, contrast]) query.removeEventListener('change', changed);
  };
}
