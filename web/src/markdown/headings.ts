// Names of headings in links: as Jupyter, GitHub and others make them. Pure.

/** Tells whether a link's fragment means a heading with these words. */
export function namesHeading(fragment: string, words: string): boolean {
  return slug(fragment) === slug(words);
}

/** Letters and digits with hyphens between the words, whatever their case. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/[\s_-]+/g, '-');
}

/** Tells whether a text has a place with this name of its own: `<a id="name">`, or an equation's label. */
export function hasAnchor(text: string, name: string): boolean {
  const literal = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\s(?:id|name)\\s*=\\s*["']?${literal}["'\\s>]|\\\\label\\{${literal}\\}`).test(text);
}

/** The line, from 1, of a heading or a named place in Markdown; null if there is none. */
export function lineOfHeading(text: string, fragment: string): number | null {
  const lines = text.split('\n');
  let fence: string | null = null;
  for (const [at, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    const words = fence === null ? /^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*$/.exec(line)?.[1] : undefined;
    if (words !== undefined && namesHeading(fragment, words)) return at + 1;
  }
  const anchor = lines.findIndex((line) => hasAnchor(line, fragment));
  return anchor < 0 ? null : anchor + 1;
}
