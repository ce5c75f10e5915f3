// The headings of a note, as a way through it. Pure.
import { frontMatterOf } from './noteSyntax';

/** A heading. */
export interface OutlineHeading {
  /** Its line, from 1. */
  readonly line: number;
  readonly level: number;
  /** Its words without signs. */
  readonly text: string;
}

/** Returns the headings of a note in order, those with `#` and those that are underlined. */
export function outlineOf(text: string): OutlineHeading[] {
  const front = frontMatterOf(text);
  const skipped = front ? text.slice(0, front.end).split('\n').length - 1 : 0;
  const headings: OutlineHeading[] = [];
  let fence: string | null = null;
  let before = '';
  for (const [at, line] of text.split('\n').entries()) {
    if (at < skipped) continue;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    if (fence === null) {
      const found = /^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*\r?$/.exec(line);
      const under = /^ {0,3}(=+|-+)[ \t]*\r?$/.exec(line)?.[1];
      if (found) headings.push({ line: at + 1, level: found[1]?.length ?? 1, text: wordsOf(found[2] ?? '') });
      else if (under && isParagraph(before))
        headings.push({ line: at, level: under.startsWith('=') ? 1 : 2, text: wordsOf(before) });
    }
    before = fence === null ? line : '';
  }
  return headings;
}

const isParagraph = (line: string): boolean =>
  line.trim() !== '' && !/^[ \t]*(?:[#>|]|[-*+][ \t]|\d+[.)][ \t]|[`~]{3}|={2,}|-{2,})/.test(line);

/** Without the signs of emphasis, code and links. */
function wordsOf(text: string): string {
  return text
    .replaceAll(/!?\[\[(?:[^[\]|]*\|)?([^[\]|]+)\]\]/g, '$1')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(\*\*|__|~~|==|`)(.+?)\1/g, '$2')
    .replaceAll(/(?<![\w*])[*_](\S(?:.*?\S)?)[*_](?![\w*])/g, '$1')
    .replace(/\s*\{#[^}]*\}$/, '')
    .trim();
}
