// Diagrams of Mermaid. The library runs in the frame of outputs, which has no origin and no network; what comes back is a
// picture. It is loaded with the first diagram.
import { useSyncExternalStore } from 'react';
import library from '../../node_modules/mermaid/dist/mermaid.min.js?url';
import { basePath } from '../app/base';

/** A picture as an address that holds all of it, or why there is none. */
export type Drawn = { readonly picture: string; readonly width: number } | { readonly failure: string };

/** The longest diagram. */
const LONGEST = 50_000;
/** Milliseconds after which a diagram is given up. */
const PATIENCE = 20_000;
/** The script of the frame: each diagram in the colours that it is asked for. */
const SETUP = `
addEventListener('message', async ({ source, data }) => {
  if (source !== parent || typeof data?.diagram !== 'number') return;
  const { diagram, text, dark } = data;
  const answer = (more) => parent.postMessage({ diagram, ...more }, '*');
  try {
    mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', htmlLabels: false, flowchart: { htmlLabels: false },
      theme: dark ? 'dark' : 'neutral', fontFamily: 'system-ui, sans-serif', suppressErrorRendering: true });
    const { svg } = await mermaid.render('diagram' + diagram, text);
    answer({ svg });
  } catch (error) { answer({ failure: String(error && error.message || error) }); }
});
parent.postMessage({ diagrams: true }, '*');`;

const drawn = new Map<string, Promise<Drawn>>();

/** Draws a diagram, each once. */
export function drawDiagram(text: string, dark: boolean): Promise<Drawn> {
  const key = `${dark} ${text}`;
  const known = drawn.get(key);
  if (known) return known;
  if (drawn.size > 200) drawn.clear();
  const drawing = draw(text, dark);
  drawn.set(key, drawing);
  return drawing;
}

let count = 0;

async function draw(text: string, dark: boolean): Promise<Drawn> {
  if (text.length > LONGEST) return { failure: 'it is too long.' };
  let frame: Window;
  try {
    frame = await frameOf();
  } catch {
    drawn.delete(`${dark} ${text}`);
    return { failure: 'the library could not be loaded, because the server did not respond.' };
  }
  const diagram = ++count;
  return new Promise((done) => {
    const end = (result: Drawn) => {
      clearTimeout(timer);
      window.removeEventListener('message', hear);
      done(result);
    };
    const hear = ({ source, data }: MessageEvent) => {
      if (source !== frame || data?.diagram !== diagram) return;
      end(typeof data.svg === 'string' ? pictureOf(data.svg) : { failure: String(data.failure).slice(0, 500) });
    };
    const timer = setTimeout(() => end({ failure: 'it took too long.' }), PATIENCE);
    window.addEventListener('message', hear);
    frame.postMessage({ diagram, text, dark }, '*');
  });
}

/** As a picture, nothing in it can run, and nothing outside of it is reached. */
function pictureOf(svg: string): Drawn {
  const width = Number(/viewBox="[-\d.]+ [-\d.]+ ([\d.]+)/.exec(svg)?.[1] ?? 0);
  const height = Number(/viewBox="[-\d.]+ [-\d.]+ [\d.]+ ([\d.]+)/.exec(svg)?.[1] ?? 0);
  // Its own size is a share of the page's.
  const sized = svg.replace(
    /^<svg([^>]*?) width="100%"/,
    `<svg$1 width="${Math.ceil(width)}" height="${Math.ceil(height)}"`,
  );
  return { picture: `data:image/svg+xml,${encodeURIComponent(sized)}`, width: Math.ceil(width) };
}

let frame: Promise<Window> | null = null;

/** The one frame in which all diagrams are drawn: out of sight, but with a size, by which text is measured. */
function frameOf(): Promise<Window> {
  frame ??= open().catch((error: unknown) => {
    frame = null;
    throw error;
  });
  return frame;
}

async function open(): Promise<Window> {
  const answer = await fetch(library);
  if (!answer.ok) throw new Error(`${answer.status}`);
  const code = await answer.text();
  const element = document.createElement('iframe');
  element.title = 'Diagrams';
  element.setAttribute('sandbox', 'allow-scripts');
  element.setAttribute('aria-hidden', 'true');
  element.tabIndex = -1;
  element.referrerPolicy = 'no-referrer';
  element.style.cssText = 'position:fixed;left:-10000px;top:0;width:1200px;height:800px;border:0;visibility:hidden';
  element.src = `${basePath}output-frame`;
  const shut = (text: string) => text.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
  return new Promise((done, failed) => {
    const timer = setTimeout(() => failed(new Error('late')), PATIENCE);
    element.addEventListener('load', () => {
      const inner = element.contentWindow;
      const hear = ({ source, data }: MessageEvent) => {
        if (!inner || source !== inner || data?.diagrams !== true) return;
        clearTimeout(timer);
        window.removeEventListener('message', hear);
        done(inner);
      };
      window.addEventListener('message', hear);
      inner?.postMessage({ html: `<script>${shut(code)}</script><script>${SETUP}</script>` }, '*');
    });
    document.body.append(element);
  });
}

/** Whether the page is dark now. */
export function useIsDark(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia('(prefers-color-scheme: dark)');
      const theme = new MutationObserver(listener);
      theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
      media.addEventListener('change', listener);
      return () => {
        theme.disconnect();
        media.removeEventListener('change', listener);
      };
    },
    () => {
      const { theme } = document.documentElement.dataset;
      return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    },
  );
}
