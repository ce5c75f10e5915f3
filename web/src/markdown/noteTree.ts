// Constructs of notes in a Markdown tree: wiki links, tags, highlights, footnotes, callouts. Pure.
import type { Blockquote, Nodes, PhrasingContent, Root, Text } from 'mdast';
import { unprotected } from './math';
import { type Callout, calloutOf, hashtagAt } from './noteSyntax';

/** `[[inside]]`, or `![[inside]]`. */
export interface WikiLinkNode {
  type: 'wikiLink';
  inside: string;
  embeds: boolean;
}

/** `#tag`. */
export interface HashtagNode {
  type: 'hashtag';
  value: string;
}

/** `[^label]`, whose definition may stand in another part of the text. */
export interface FootnoteMarkNode {
  type: 'footnoteMark';
  label: string;
}

/** `==words==`. */
export interface HighlightNode {
  type: 'highlight';
  children: PhrasingContent[];
}

declare module 'mdast' {
  interface PhrasingContentMap {
    wikiLink: WikiLinkNode;
    hashtag: HashtagNode;
    highlight: HighlightNode;
    footnoteMark: FootnoteMarkNode;
  }
  interface RootContentMap {
    wikiLink: WikiLinkNode;
    hashtag: HashtagNode;
    highlight: HighlightNode;
    footnoteMark: FootnoteMarkNode;
  }
  interface BlockquoteData {
    callout?: Callout;
  }
  interface ListItemData {
    /** Its first character in the text as it was written. */
    at?: number;
  }
}

/** Makes nodes of what notes have, in place; `text` is that of the tree, in which formulas are protected. */
export function findNoteSyntax(node: Root | Nodes, text: string): void {
  if (!('children' in node)) return;
  if (node.type === 'listItem') {
    const at = unprotected(text.slice(0, node.position?.start.offset ?? 0)).length;
    node.data = { ...node.data, at };
  }
  if (node.type === 'blockquote') findCallout(node);
  const inLink = node.type === 'link' || node.type === 'linkReference';
  node.children = (node.children as Nodes[]).flatMap((child): Nodes[] => {
    if (child.type === 'text') return inLink ? [child] : notePieces(child.value);
    findNoteSyntax(child, text);
    return [child];
  }) as typeof node.children;
}

const PIECE = /(!?)\[\[([^[\]\n]+)\]\]|%%[\s\S]*?%%|==(?=\S)([^=\n]+)==|\[\^([^\s[\]^]+)\]|#/g;

function notePieces(text: string): Nodes[] {
  const pieces: Nodes[] = [];
  let last = 0;
  const put = (from: number, to: number, node: Nodes | null) => {
    if (from > last) pieces.push({ type: 'text', value: text.slice(last, from) });
    if (node) pieces.push(node);
    last = to;
  };
  for (const found of text.matchAll(PIECE)) {
    const { index: at, 0: whole } = found;
    const [, bang, inside, marked, label] = found;
    if (at < last) continue;
    if (inside !== undefined) put(at, at + whole.length, { type: 'wikiLink', inside, embeds: bang === '!' });
    else if (marked !== undefined)
      put(at, at + whole.length, { type: 'highlight', children: [{ type: 'text', value: marked }] });
    else if (label !== undefined) put(at, at + whole.length, { type: 'footnoteMark', label });
    else if (whole !== '#') put(at, at + whole.length, null);
    else {
      const length = hashtagAt(text, at);
      if (length > 0) put(at, at + length, { type: 'hashtag', value: text.slice(at, at + length) });
    }
  }
  put(text.length, text.length, null);
  return pieces;
}

/** The head of a callout becomes a fact of the quote. */
function findCallout(quote: Blockquote): void {
  const [first] = quote.children;
  const words = first?.type === 'paragraph' ? first.children[0] : undefined;
  const callout = words?.type === 'text' ? calloutOf(words.value) : null;
  if (!callout || first?.type !== 'paragraph') return;
  const text = words as Text;
  const end = text.value.indexOf('\n');
  // Words after its line stay; more than words in its title is shown as its first line.
  const rest = end < 0 ? '' : text.value.slice(end + 1);
  first.children = [...(rest === '' ? [] : [{ type: 'text' as const, value: rest }]), ...first.children.slice(1)];
  if (first.children.length === 0) quote.children.shift();
  quote.data = { ...quote.data, callout };
}
