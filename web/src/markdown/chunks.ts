/** Splits a long note into parts that are read one after the other. Pure: the parts joined are the text. */
import { frontMatterOf } from './noteSyntax';

/** A part of a text. */
export interface Chunk {
  readonly text: string;
  /** Its first character. */
  readonly start: number;
  /** Its first line, from 1. */
  readonly line: number;
  readonly lines: number;
}

/** Characters after which a part ends at the next blank line; after four times as many also between items of a list. */
const ENOUGH = 3000;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MATH = /^(?:\$\$(?!.*\$\$\s*$)|\\begin\{)/;

/** Returns the parts in order, without front matter. */
export function chunksOf(text: string): Chunk[] {
  const begin = frontMatterOf(text)?.end ?? 0;
  const chunks: Chunk[] = [];
  let [start, at] = [begin, begin];
  let number = text.slice(0, begin).split('\n').length;
  let line = number;
  let [fence, math, blank]: [string | null, boolean, boolean] = [null, false, true];
  const put = () => {
    if (at > start) chunks.push({ text: text.slice(start, at), start, line, lines: number - line });
    [start, line] = [at, number];
  };
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const next = end < 0 ? text.length : end + 1;
    const words = text.slice(at, Math.min(next, at + 400));
    const isFree = fence === null && !math;
    if (isFree && endsBefore(words, blank, at - start)) put();
    const mark = FENCE.exec(words)?.[1];
    if (mark && !math && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    else if (fence === null && !math && MATH.test(words)) math = !/\\end\{/.test(words);
    else if (math && (/\$\$\s*$|\\end\{/.test(words) || words.startsWith('#'))) math = false;
    blank = words.trim() === '';
    at = next;
    number++;
  }
  put();
  return chunks;
}

/** Whether a part that is so long ends before a line. */
function endsBefore(words: string, blank: boolean, length: number): boolean {
  if (/^\s/.test(words)) return false;
  if (/^#{1,6}\s/.test(words)) return length > ENOUGH / 2;
  const isItem = /^(?:[-*+]|\d{1,9}[.)])\s/.test(words);
  return isItem ? length > 4 * ENOUGH : blank && length > ENOUGH;
}
