// How parts of the window arrive. The bundler calls this in place of its own helper: see `build/arrival.ts`.

const arriving = new Map<string, Promise<void>>();

/**
 * Loads a part when all files that it needs have arrived. A browser never asks again for a module or a style sheet that did not
 * come once: so a file is fetched first, into the browser's cache, and one that failed is fetched anew.
 */
export async function bring<T>(load: () => Promise<T>, files: readonly string[] = [], from = ''): Promise<T> {
  await Promise.all(files.map((file) => arrival(new URL(file, from).href)));
  return load();
}

function arrival(url: string): Promise<void> {
  const known = arriving.get(url) ?? (named(url) ? Promise.resolve() : fetched(url));
  arriving.set(url, known);
  known.catch(() => arriving.delete(url));
  return known;
}

/** Tells whether the page itself names a file: it began with it. */
function named(url: string): boolean {
  const all = [...document.querySelectorAll<HTMLLinkElement | HTMLScriptElement>('link, script')];
  return all.some((one) => ('href' in one ? one.href : one.src) === url);
}

async function fetched(url: string): Promise<void> {
  const answer = await fetch(url).catch(() => null);
  if (!answer?.ok) throw new Error(`Failed to fetch dynamically imported module: ${url}`);
  await answer.arrayBuffer();
  if (url.endsWith('.css')) await styled(url);
}

/** Returns when a style sheet applies: a part is not shown before. */
function styled(url: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.crossOrigin = '';
  link.href = url;
  return new Promise((done, failed) => {
    link.onload = () => done();
    link.onerror = failed;
    document.head.append(link);
  });
}
