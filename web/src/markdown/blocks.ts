/**
 * Splits Markdown into blocks that can be rendered each on its own, so that while an answer comes in only the
 * last is rendered again. Pure: the blocks joined are the text.
 */

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const DEFINITION = /^ {0,3}\[[^\]\n]{1,999}\]:/m;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/** Returns the blocks in order. A text with definitions (`[name]: url`, footnotes) is one block. */
export function blocksOf(markdown: string): string[] {
  if (DEFINITION.test(markdown)) return [markdown];
  const blocks: string[] = [];
  let block: string[] = [];
  let fence: string | null = null;
  let blank = false;
  for (const line of markdown.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (fence === null && blank && startsBlock(line, block)) {
      blocks.push(block.join(''));
      block = [];
    }
    fence = fenceAfter(line, fence);
    blank = fence === null && line.trim() === '';
    block.push(line);
  }
  if (block.length > 0) blocks.push(block.join(''));
  return blocks;
}

/** After a blank line: indented lines, and items after items, go on with the block. */
function startsBlock(line: string, block: readonly string[]): boolean {
  if (line.trim() === '' || /^\s/.test(line)) return false;
  const first = block.find((before) => before.trim() !== '');
  return !(first !== undefined && LIST_ITEM.test(first) && LIST_ITEM.test(line));
}

function fenceAfter(line: string, fence: string | null): string | null {
  const found = FENCE.exec(line.replace(/\n$/, ''));
  if (!found) return fence;
  const [, marks = '', rest = ''] = found;
  if (fence === null) return marks.startsWith('`') && rest.includes('`') ? null : marks;
  const closes = marks[0] === fence[0] && marks.length >= fence.length && rest.trim() === '';
  return closes ? null : fence;
}
