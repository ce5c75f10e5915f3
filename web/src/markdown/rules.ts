/**
 * What of a model's Markdown becomes a link, and what it says about where it leads. Pure.
 *
 * Nothing is fetched because a model wrote it: an image is a link that names its host.
 */

/** Where a link may lead. */
export type LinkTarget =
  | { readonly kind: 'web'; readonly href: string; readonly host: string }
  | { readonly kind: 'mail'; readonly href: string; readonly host: string }
  | { readonly kind: 'path'; readonly path: string; readonly line: number | null; readonly heading: string | null }
  /** A heading, or another place with a name, in the same document. */
  | { readonly kind: 'heading'; readonly heading: string };

/**
 * Returns where a URL leads, or null if it is none that a click may follow (`javascript:`, `data:`, `//host` …). `from` is
 * the document that has the link; without one, as in an answer, files are named from the workspace's folder.
 */
export function linkTarget(url: string, from: string | null = null): LinkTarget | null {
  const trimmed = url.trim();
  if (trimmed.startsWith('#'))
    return trimmed.length > 1 ? { kind: 'heading', heading: decoded(trimmed.slice(1)) } : null;
  if (trimmed === '') return null;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(stripControls(trimmed))?.[1]?.toLowerCase();
  if (scheme === 'http' || scheme === 'https') return webTarget(trimmed);
  if (scheme === 'mailto') return mailTarget(trimmed);
  return scheme === undefined ? pathTarget(trimmed, from) : null;
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

/** `src/model.py`, `model.py#L12`, `model.py:12`, `notes.md#heading`: a file of the workspace. */
function pathTarget(url: string, from: string | null): LinkTarget | null {
  const found = /^([^?#\\]+?)(?:#L(\d+)|:(\d+)|#([^#]+))?$/.exec(url);
  if (!found) return null;
  const path = resolvedPath(decoded(found[1] ?? ''), from);
  if (path === null) return null;
  const line = Number(found[2] ?? found[3] ?? 0);
  return {
    kind: 'path',
    path,
    line: line > 0 ? line : null,
    heading: found[4] === undefined ? null : decoded(found[4]),
  };
}

/** A path as a document names it, from the workspace's folder; null if it leaves that, or names a folder of the machine. */
function resolvedPath(name: string, from: string | null): string | null {
  const rooted = name.startsWith('/');
  // In a document a slash is the workspace's folder, as in Jupyter; a model may mean the machine.
  if (name.startsWith('//') || (rooted && from === null) || name.endsWith('/')) return null;
  const path = rooted ? [] : (from ?? '').split('/').slice(0, -1);
  for (const part of name.split('/')) {
    if (part === '..' && path.pop() === undefined) return null;
    if (part !== '' && part !== '.' && part !== '..') path.push(part);
  }
  return path.length > 0 ? path.join('/') : null;
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
  if (!/^<img\b[^>]*>$/i.test(text.trim())) return null;
  const url = attributeIn(text, 'src');
  return url === '' ? null : { url, alt: attributeIn(text, 'alt') };
}

/** An attribute of a single tag; empty if it has none of that name. */
export function attributeIn(tag: string, name: string): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
}

const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  apng: 'image/apng',
  ico: 'image/x-icon',
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
  if (/^[a-z][a-z0-9+.-]*:/i.test(stripControls(name)) || name.includes('\\') || !pictureKind(name)) return null;
  return resolvedPath(name, from);
}

/** Tells whether the words of a link are its address already, so that its host need not be said again. */
export function saysItsHost(text: string, target: LinkTarget): boolean {
  if (target.kind === 'path' || target.kind === 'heading') return true;
  const words = text.trim().replace(/\/$/, '');
  const href = target.href.replace(/\/$/, '');
  return words === href || words === target.host || `https://${words}` === href || `mailto:${words}` === href;
}
