/**
 * What of a model's Markdown becomes a link, and what it says about where it leads. Pure.
 *
 * Nothing is fetched because a model wrote it: an image is a link that names its host.
 */

/** Where a link may lead. */
export type LinkTarget =
  | { readonly kind: 'web'; readonly href: string; readonly host: string }
  | { readonly kind: 'mail'; readonly href: string; readonly host: string }
  | { readonly kind: 'path'; readonly path: string; readonly line: number | null };

/** Returns where a URL leads, or null if it is none that a click may follow (`javascript:`, `data:`, `//host` …). */
export function linkTarget(url: string): LinkTarget | null {
  const trimmed = url.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return null;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(stripControls(trimmed))?.[1]?.toLowerCase();
  if (scheme === 'http' || scheme === 'https') return webTarget(trimmed);
  if (scheme === 'mailto') return mailTarget(trimmed);
  return scheme === undefined ? pathTarget(trimmed) : null;
}

/** Browsers drop these inside a scheme, so that `java\nscript:` is one. */
function stripControls(url: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes.
  return url.replaceAll(/[\u0000-\u0020\u007f]/g, '');
}

function webTarget(url: string): LinkTarget | null {
  if (!URL.canParse(url)) return null;
  const parsed = new URL(url);
  return { kind: 'web', href: parsed.href, host: parsed.host };
}

function mailTarget(url: string): LinkTarget | null {
  const address = url.slice('mailto:'.length).split('?')[0] ?? '';
  return /^[^\s@,]+@[^\s@,]+$/.test(address) ? { kind: 'mail', href: `mailto:${address}`, host: address } : null;
}

/** `src/model.py`, `model.py#L12`, `model.py:12`: a file of the workspace. */
function pathTarget(url: string): LinkTarget | null {
  const found = /^([^?#\\]+?)(?:#L(\d+)|:(\d+))?$/.exec(url);
  if (!found) return null;
  const path = decoded(found[1] ?? '').replace(/^\.\//, '');
  const line = Number(found[2] ?? found[3] ?? 0);
  const inside = path !== '' && !path.startsWith('/') && path.split('/').every((part) => part !== '' && part !== '..');
  return inside ? { kind: 'path', path, line: line > 0 ? line : null } : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The picture that a single tag of markup shows, if it is one. */
export function pictureTag(text: string): { readonly url: string; readonly alt: string } | null {
  const [whole, attributes = ''] = /^<img\b([^>]*)>$/i.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const named = (name: string) => {
    const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes);
    return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
  };
  const url = named('src');
  return url === '' ? null : { url, alt: named('alt') };
}

const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
};

/** What kind of picture a file is by its name; null if it is none that is shown. */
export function pictureKind(path: string): string | null {
  return PICTURES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? null;
}

/** The picture of the workspace that an address in a document means; `from` is the document's path. */
export function pictureFile(url: string, from: string): string | null {
  const name = decoded(/^[^?#]*/.exec(url.trim())?.[0] ?? '');
  if (/^([a-z][a-z0-9+.-]*:|\/)/i.test(stripControls(name)) || name.includes('\\') || !pictureKind(name)) return null;
  const path = from.split('/').slice(0, -1);
  for (const part of name.split('/')) {
    if (part === '..' && path.pop() === undefined) return null;
    if (part !== '' && part !== '.' && part !== '..') path.push(part);
  }
  return path.join('/');
}

/** Tells whether the words of a link are its address already, so that its host need not be said again. */
export function saysItsHost(text: string, target: LinkTarget): boolean {
  if (target.kind === 'path') return true;
  const words = text.trim().replace(/\/$/, '');
  const href = target.href.replace(/\/$/, '');
  return words === href || words === target.host || `https://${words}` === href || `mailto:${words}` === href;
}
