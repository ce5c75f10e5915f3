// Finds the link at a place in a line of Markdown. Pure.

const LINK =
  /\[\[([^[\]\n]+)\]\]|\[(?:[^[\]\n]|\[[^[\]\n]*\])*\]\((?:<([^<>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+["'(][^\n]*?["')])?\)|<((?:https?|mailto):[^<>\s]+)>|\bhttps?:\/\/[^\s<>()[\]]+|^\s*\[[^\]\n]+\]:\s*(\S+)/g;

/** The address of the link at a place, from 0; null if there is none. */
export function linkAt(line: string, at: number): string | null {
  for (const found of line.matchAll(LINK)) {
    if (at < found.index || at > found.index + found[0].length) continue;
    const [whole, wiki, angled, plain, auto, defined] = found;
    return wiki === undefined ? (angled ?? plain ?? auto ?? defined ?? whole) : wikiAddress(wiki);
  }
  return null;
}

/** The text between the brackets of the wiki link at a place; null if there is none. */
export function wikiAt(line: string, at: number): string | null {
  for (const found of line.matchAll(/\[\[([^[\]\n]+)\]\]/g)) {
    if (at >= found.index && at <= found.index + found[0].length) return found[1] ?? null;
  }
  return null;
}

/** `page#heading|words`: a page without an ending is Markdown. */
function wikiAddress(wiki: string): string {
  const [target = ''] = wiki.split('|');
  const [name = '', ...rest] = target.split('#');
  const heading = rest.length > 0 ? `#${rest.join('#').trim()}` : '';
  const file = name.trim();
  if (file === '') return heading;
  return encodeURI(/\.[a-z0-9]{1,8}$/i.test(file) ? file : `${file}.md`) + heading;
}
