// Constructs of notes beyond GitHub's Markdown: formulas, `[[links]]`, ==highlights==, #tags, footnotes and %%comments%%.
import type { markdown } from '@codemirror/lang-markdown';
import { tags } from '@lezer/highlight';
import { ENVIRONMENTS, formulaAt } from '../markdown/math';
import { hashtagAt } from '../markdown/noteSyntax';

type Extension = NonNullable<NonNullable<Parameters<typeof markdown>[0]>['extensions']>;
type Config = Extract<Extension, { parseInline?: unknown }>;
type Inline = NonNullable<Config['parseInline']>[number];
type Block = NonNullable<Config['parseBlock']>[number];

const [BANG, HASH, DOLLAR, PERCENT, EQUALS, OPEN, BACKSLASH, CLOSE, CARET] = [33, 35, 36, 37, 61, 91, 92, 93, 94];

/** `[[page]]`, `[[page#heading|words]]`, `![[picture.png]]`; of nested ones the innermost. */
const wikiLink: Inline = {
  name: 'WikiLink',
  before: 'Link',
  parse(context, next, at) {
    const start = next === BANG ? at + 1 : at;
    if (context.char(start) !== OPEN || context.char(start + 1) !== OPEN) return -1;
    for (let end = start + 2; end < context.end; end++) {
      const char = context.char(end);
      if (char === OPEN || char === 10) return -1;
      if (char !== CLOSE) continue;
      if (context.char(end + 1) !== CLOSE || end === start + 2) return -1;
      const mark = (from: number) => context.elt('WikiLinkMark', from, from + 2);
      return context.addElement(context.elt('WikiLink', at, end + 2, [mark(start), mark(end)]));
    }
    return -1;
  },
};

/** `$x$`, `\(x\)`, `$$x$$`, `\begin{align}…\end{align}` between words. */
const inlineMath: Inline = {
  name: 'InlineMath',
  before: 'Escape',
  parse(context, next, at) {
    if (next !== DOLLAR && next !== BACKSLASH) return -1;
    const found = formulaAt(context.text, at - context.offset);
    if (!found || found.kind === 'reference') return -1;
    const name = found.kind === 'inline' ? 'InlineMath' : 'DisplayMath';
    return context.addElement(context.elt(name, at, context.offset + found.end));
  },
};

const footnote: Inline = {
  name: 'FootnoteReference',
  before: 'Link',
  parse(context, next, at) {
    if (next !== OPEN || context.char(at + 1) !== CARET) return -1;
    const found = /^\[\^[^\s[\]^]+\]/.exec(context.slice(at, Math.min(context.end, at + 80)));
    return found ? context.addElement(context.elt('FootnoteReference', at, at + found[0].length)) : -1;
  },
};

const hashtag: Inline = {
  name: 'Hashtag',
  parse(context, next, at) {
    if (next !== HASH) return -1;
    const length = hashtagAt(context.text, at - context.offset);
    return length > 0 ? context.addElement(context.elt('Hashtag', at, at + length)) : -1;
  },
};

const comment: Inline = {
  name: 'NoteComment',
  parse(context, next, at) {
    if (next !== PERCENT || context.char(at + 1) !== PERCENT) return -1;
    const end = context.text.indexOf('%%', at - context.offset + 2);
    return end < 0 ? -1 : context.addElement(context.elt('NoteComment', at, context.offset + end + 2));
  },
};

const HIGHLIGHT = { resolve: 'Highlight', mark: 'HighlightMark' };

const highlight: Inline = {
  name: 'Highlight',
  after: 'Emphasis',
  parse(context, next, at) {
    if (next !== EQUALS || context.char(at + 1) !== EQUALS || context.char(at + 2) === EQUALS) return -1;
    const isSpace = (char: string) => char === '' || /\s/.test(char);
    const before = isSpace(context.slice(at - 1, at));
    const after = isSpace(context.slice(at + 2, at + 3));
    return context.addDelimiter(HIGHLIGHT, at, at + 2, !after, !before);
  },
};

/** The characters that end a displayed formula which begins with a line; null if none begins there. */
function endOfMath(line: string): string | null {
  if (line.startsWith('$$')) return '$$';
  if (line.startsWith('\\[') && line.trim() === '\\[') return '\\]';
  const name = /^\\begin\{([^{}\n]{1,100})\}/.exec(line)?.[1];
  return name !== undefined && ENVIRONMENTS.test(name) ? `\\end{${name}}` : null;
}

/** The most characters of a formula. */
const LONGEST = 10_000;

/** A displayed formula of whole lines; inside it, nothing is Markdown. One without an end stops at a heading. */
const blockMath: Block = {
  name: 'BlockMath',
  before: 'FencedCode',
  parse(context, line) {
    const close = endOfMath(line.text.slice(line.pos));
    if (close === null) return false;
    const from = context.lineStart + line.pos;
    const depth = context.depth;
    let [at, to, closed] = [line.pos + 2, context.lineStart + line.text.length, false];
    do {
      const end = line.text.indexOf(close, at);
      if (end >= 0) {
        // More after its end: it stands between words.
        if (line.text.slice(end + close.length).trim() !== '' && context.lineStart <= from) return false;
        [to, closed] = [context.lineStart + end + close.length, true];
        context.nextLine();
        break;
      }
      to = context.lineStart + line.text.length;
      at = 0;
    } while (context.nextLine() && depthOf(line) >= depth && to - from < LONGEST && !/^#{1,6} /.test(line.text));
    const marks = [context.elt('MathMark', from, from + 2)];
    if (closed) marks.push(context.elt('MathMark', to - close.length, to));
    context.addElement(context.elt('BlockMath', from, to, marks));
    return true;
  },
  endLeaf: (_context, line) => endOfMath(line.text.slice(line.pos)) !== null,
};

/** How many blocks around a line go on in it: the library's own constructs ask the same. */
const depthOf = (line: object): number => ('depth' in line && typeof line.depth === 'number' ? line.depth : 0);

/** All of it. */
export const noteSyntax: Extension = {
  defineNodes: [
    { name: 'WikiLink', style: tags.link },
    { name: 'WikiLinkMark', style: tags.processingInstruction },
    { name: 'InlineMath', style: tags.monospace },
    { name: 'DisplayMath', style: tags.monospace },
    { name: 'BlockMath', block: true, style: tags.monospace },
    { name: 'MathMark', style: tags.processingInstruction },
    { name: 'Hashtag', style: tags.labelName },
    { name: 'FootnoteReference', style: tags.link },
    { name: 'NoteComment', style: tags.comment },
    { name: 'Highlight', style: tags.special(tags.content) },
    { name: 'HighlightMark', style: tags.processingInstruction },
  ],
  parseInline: [wikiLink, inlineMath, footnote, hashtag, comment, highlight],
  parseBlock: [blockMath],
};
