/**
 * What a model without tools wrote: prose, and the blocks in which it asks for something. The server reads the blocks
 * and carries them out; here they are only told from the prose, so that neither is shown as the other. Pure.
 */

/** A piece of an answer, in order. */
export type Piece = { kind: 'prose'; text: string } | Written;

/** A block as it was written, with its markers. */
export interface Written {
  kind: 'block';
  keyword: Keyword;
  /** What stands beside the keyword: a file, lines, the name of an action. */
  about: string;
  text: string;
  /** Its end has not come. */
  open: boolean;
}

type Keyword = 'edit' | 'delete' | 'search' | 'create' | 'show' | 'action';

const HEADER = /^ {0,3}(<{3,})\s*(edit|delete|search|create|show|action)(?=$|[\s<>:])(.*)$/i;
const FENCE = /^\s*(`{3,}|~{3,})([^`]*)$/;

/** Tells the blocks of an answer from its prose. Code fences are prose: what stands in them is an example. */
export function pieces(text: string): Piece[] {
  if (!text.includes('<<<')) return [{ kind: 'prose', text }];
  const lines = text.split('\n');
  const found: Piece[] = [];
  let prose: string[] = [];
  let fence: string | null = null;
  const endProse = () => {
    const text = prose.join('\n');
    if (text.trim() !== '') found.push({ kind: 'prose', text });
    prose = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const header = fence === null ? HEADER.exec(line) : null;
    if (header === null) {
      fence = fenceAfter(fence, line);
      prose.push(line);
      continue;
    }
    endProse();
    const block = blockAt(lines, at, header);
    found.push(block.piece);
    at = block.last;
  }
  endProse();
  return found;
}

function blockAt(lines: readonly string[], first: number, header: RegExpExecArray): { piece: Written; last: number } {
  const [, marks = '', word = '', rest = ''] = header;
  const keyword = word.toLowerCase() as Keyword;
  const ends = new RegExp(`(^|[^<])<{${marks.length}}END>*\\s*$`, 'i');
  let last = first;
  while (!ends.test(lines[last] as string) && last + 1 < lines.length && !begins(lines[last + 1] as string, marks)) {
    last += 1;
  }
  const open = !ends.test(lines[last] as string);
  // The end of a question may be missing: what comes after it is prose again.
  if (open && keyword === 'show') last = first;
  const about = rest.replace(ends, '$1').replace(/^[\s:]+|[\s>]+$/g, '');
  return { piece: { kind: 'block', keyword, about, text: lines.slice(first, last + 1).join('\n'), open }, last };
}

/** Another block of as many marks begins there, so the end of the one before it is missing. */
function begins(line: string, marks: string): boolean {
  return HEADER.exec(line)?.[1] === marks;
}

/** The run of backticks or tildes that is open after a line, if one is. */
function fenceAfter(open: string | null, line: string): string | null {
  const [, run = '', info = ''] = FENCE.exec(line) ?? [];
  if (open === null) return run === '' ? null : run;
  return run.startsWith(open) && info.trim() === '' ? null : open;
}

/** What a block asks for, in a few words; `about` is not among them. */
export function askedFor({ keyword, open }: Written, streaming: boolean): string {
  const [doing, done] = WORDS[keyword];
  return open && streaming ? doing : done;
}

const WORDS: Record<Keyword, [string, string]> = {
  edit: ['Writing a change', 'Wrote a change'],
  delete: ['Writing a deletion', 'Wrote a deletion'],
  search: ['Writing a change', 'Wrote a change'],
  create: ['Writing a new file', 'Wrote a new file'],
  show: ['Requesting to read', 'Requested to read'],
  action: ['Requesting', 'Requested'],
};
