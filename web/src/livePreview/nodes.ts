// How each construct of Markdown is drawn inside its lines. A construct that is not named here stays as it is written.
import type { SyntaxNodeRef } from '@lezer/common';
import { calloutOf, wikiLinkOf } from '../markdown/noteSyntax';
import { pictureFile, pictureKind } from '../markdown/rules';
import type { Drawing } from './drawing';
import { CalloutWidget, EmbedWidget, FenceWidget, PictureWidget } from './drawn';
import { linkAttributes, wikiAttributes } from './links';
import { listItem, listMark } from './lists';
import { notePath } from './place';
import { MathWidget, RuleWidget } from './widgets';

/** Draws a construct; `false` leaves out its parts. */
type Draw = (drawing: Drawing, node: SyntaxNodeRef) => unknown;

const heading =
  (level: number): Draw =>
  (drawing, { from }) =>
    drawing.line(from, `cm-md-heading cm-md-h${level}`);

const marked =
  (className: string): Draw =>
  (drawing, { from, to }) =>
    drawing.mark(from, to, className);

/** The signs around words, hidden unless the cursor is at them. */
const delimiter: Draw = (drawing, { node, from, to }) => {
  const parent = node.parent;
  if (parent && !drawing.touched(parent.from, parent.to)) drawing.hide(from, to);
};

const headerMark: Draw = (drawing, { node, from, to }) => {
  const parent = node.parent;
  if (!parent) return;
  if (parent.name.startsWith('Setext')) return drawing.line(from, 'cm-md-underline');
  if (drawing.linesTouched(from)) return drawing.mark(from, to, 'cm-md-dim');
  if (from === parent.from) drawing.hide(from, drawing.spaceAfter(to));
  else drawing.hide(from - (/[ \t]*$/.exec(drawing.text(parent.from, from))?.[0].length ?? 0), to);
};

const codeMark: Draw = (drawing, ref) => {
  if (ref.node.parent?.name === 'InlineCode') delimiter(drawing, ref);
};

const fencedCode: Draw = (drawing, { node, from, to }) => {
  const open = drawing.touched(from, to);
  const info = node.getChild('CodeInfo');
  drawing.lines(from, to, (index, isLast) => {
    const edge = index === 0 ? ' cm-md-code-first' : isLast ? ' cm-md-code-last' : '';
    return `cm-md-codeblock${edge}`;
  });
  if (open) return;
  const [first, last] = [node.firstChild, node.lastChild];
  const code = node.getChild('CodeText');
  const words = info ? drawing.text(info.from, info.to) : '';
  const end = drawing.state.doc.lineAt(from).to;
  drawing.replace(from, end, new FenceWidget(words, code ? drawing.text(code.from, code.to) : ''));
  if (last && last !== first && last.name === 'CodeMark') drawing.hide(last.from, last.to);
};

/** `[due:: 2026-12-01]`, as Dataview writes it. */
const FIELD = /^\[[^\]]*::/;

const link: Draw = (drawing, { node, from, to }) => {
  const url = node.getChild('URL');
  const [open, close] = node.getChildren('LinkMark');
  // A field of a todo has the form of a link that is defined elsewhere.
  if (!url && FIELD.test(drawing.text(from, to))) drawing.mark(from, to, 'cm-md-field');
  if (!url || !open || !close) return;
  const address = drawing.text(url.from, url.to);
  drawing.mark(open.to, close.from, 'cm-md-link', linkAttributes(drawing.state, address));
  if (drawing.touched(from, to)) return;
  drawing.hide(open.from, open.to);
  drawing.hide(close.from, to);
};

const image: Draw = (drawing, { node, from, to }) => {
  const url = node.getChild('URL');
  const [open, close] = node.getChildren('LinkMark');
  if (!url || !open || !close || drawing.touched(from, to)) return;
  const alt = drawing.text(open.to, close.from);
  const address = drawing.text(url.from, url.to).replace(/^<(.*)>$/, '$1');
  const file = pictureFile(address, drawing.state.facet(notePath));
  if (file) {
    drawing.replace(from, to, new PictureWidget(file, alt, null));
    return false;
  }
  // Nothing of another machine is fetched because a text names it.
  drawing.mark(open.to, close.from, 'cm-md-link', linkAttributes(drawing.state, address));
  drawing.hide(open.from, open.to);
  drawing.hide(close.from, to);
};

const autolink: Draw = (drawing, { node, from, to }) => {
  const url = node.getChild('URL');
  if (!url) return;
  drawing.mark(url.from, url.to, 'cm-md-link', linkAttributes(drawing.state, drawing.text(url.from, url.to)));
  if (!drawing.touched(from, to)) for (const mark of node.getChildren('LinkMark')) drawing.hide(mark.from, mark.to);
  return false;
};

const bareUrl: Draw = (drawing, { node, from, to }) => {
  if (node.parent?.name === 'Link' || node.parent?.name === 'Image') return;
  drawing.mark(from, to, 'cm-md-link', linkAttributes(drawing.state, drawing.text(from, to)));
};

const wikiLink: Draw = (drawing, { from, to }) => {
  const whole = drawing.text(from, to);
  const embeds = whole.startsWith('!');
  const start = from + (embeds ? 3 : 2);
  const inside = drawing.text(start, to - 2);
  const link = wikiLinkOf(inside);
  const touched = drawing.touched(from, to);
  if (embeds && !touched) {
    const widget = pictureKind(link.target) ? pictureOf(drawing, inside) : new EmbedWidget(inside);
    drawing.replace(from, to, widget);
    return false;
  }
  const bar = inside.indexOf('|');
  const words = link.alias !== null && !touched ? start + bar + 1 : start;
  drawing.mark(words, to - 2, 'cm-md-link', wikiAttributes(drawing.state, inside));
  if (touched) return false;
  drawing.hide(from, words);
  drawing.hide(to - 2, to);
  return false;
};

/** `![[picture.png|200]]` has a width, `![[picture.png|words]]` a text. */
function pictureOf(drawing: Drawing, inside: string): PictureWidget {
  const { target, alias } = wikiLinkOf(inside);
  const width = /^(\d{1,4})(?:x\d+)?$/.exec(alias ?? '')?.[1];
  const alt = width === undefined ? (alias ?? target) : target;
  return new PictureWidget(
    wikiAttributes(drawing.state, inside)['data-path'] ?? target,
    alt,
    width ? Number(width) : null,
  );
}

const quote: Draw = (drawing, { node, from, to }) => {
  const callout = calloutOf(drawing.text(from, Math.min(to, from + 300)).replace(/^>[ \t]?/, ''));
  const className = callout ? `cm-md-callout cm-md-${callout.tone}` : 'cm-md-quote';
  drawing.lines(from, to, (index, isLast) => {
    const edge = callout && index === 0 ? ' cm-md-callout-head' : '';
    return `${className}${edge}${isLast ? ' cm-md-quote-last' : ''}`;
  });
  const words = node.getChild('Paragraph');
  if (!callout || !words || drawing.linesTouched(from)) return;
  const hasTitle = drawing.state.doc.lineAt(from).to > words.from + callout.length;
  drawing.replace(
    words.from,
    words.from + callout.length,
    new CalloutWidget(callout.tone, hasTitle ? '' : callout.title),
  );
};

const quoteMark: Draw = (drawing, { from, to }) => {
  if (!drawing.linesTouched(from)) drawing.hide(from, drawing.text(to, to + 1) === ' ' ? to + 1 : to);
};

const rule: Draw = (drawing, { from, to }) => {
  if (!drawing.linesTouched(from)) drawing.replace(from, to, new RuleWidget());
};

const math =
  (block: boolean): Draw =>
  (drawing, { from, to }) => {
    if (!drawing.touched(from, to)) drawing.replace(from, to, new MathWidget(drawing.text(from, to), block));
  };

/** Constructs that are read by columns keep letters of one width. */
const raw: Draw = (drawing, { from, to }) => {
  drawing.lines(from, to, () => 'cm-md-raw');
};

const footnote: Draw = (drawing, { from, to }) => {
  const isDefinition = drawing.text(to, to + 1) === ':' && drawing.state.doc.lineAt(from).from === from;
  drawing.mark(from, to, isDefinition ? 'cm-md-footnote' : 'cm-md-footnote cm-md-sup');
  if (drawing.touched(from, to)) return;
  drawing.hide(from, from + 2);
  drawing.hide(to - 1, to);
};

const escaped: Draw = (drawing, { from, to }) => {
  if (!drawing.touched(from, to)) drawing.hide(from, from + 1);
};

/** By the name of the construct. */
export const NODES: Readonly<Record<string, Draw>> = {
  ATXHeading1: heading(1),
  ATXHeading2: heading(2),
  ATXHeading3: heading(3),
  ATXHeading4: heading(4),
  ATXHeading5: heading(5),
  ATXHeading6: heading(6),
  SetextHeading1: heading(1),
  SetextHeading2: heading(2),
  HeaderMark: headerMark,
  EmphasisMark: delimiter,
  StrikethroughMark: delimiter,
  HighlightMark: delimiter,
  Highlight: marked('cm-md-highlight'),
  InlineCode: marked('cm-md-code'),
  CodeMark: codeMark,
  FencedCode: fencedCode,
  CodeBlock: (drawing, { from, to }) => drawing.lines(from, to, () => 'cm-md-codeblock'),
  Link: link,
  Image: image,
  Autolink: autolink,
  URL: bareUrl,
  WikiLink: wikiLink,
  ListItem: listItem,
  ListMark: listMark,
  Blockquote: quote,
  QuoteMark: quoteMark,
  HorizontalRule: rule,
  InlineMath: math(false),
  DisplayMath: math(true),
  BlockMath: raw,
  Table: raw,
  Frontmatter: raw,
  HTMLBlock: raw,
  CommentBlock: marked('cm-md-dim'),
  Comment: marked('cm-md-dim'),
  HTMLTag: marked('cm-md-dim'),
  NoteComment: marked('cm-md-dim'),
  LinkReference: marked('cm-md-dim'),
  Hashtag: marked('cm-md-tag'),
  FootnoteReference: footnote,
  Escape: escaped,
};
