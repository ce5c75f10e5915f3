// `<a href="x">words</a>` between words of a document: Markdown leaves its tags as two pieces of markup.
import type { Nodes, PhrasingContent, Root } from 'mdast';
import { attributeIn } from './rules';

/** Makes links of such pairs, in place. */
export function pairAnchors(node: Root | Nodes): void {
  if (!('children' in node)) return;
  const children = node.children as Nodes[];
  for (let at = 0; at < children.length; at++) {
    const child = children[at] as Nodes;
    const url = child.type === 'html' && /^<a\s/i.test(child.value) ? attributeIn(child.value, 'href') : '';
    const end = url ? children.findIndex((other, place) => place > at && isEnd(other)) : -1;
    if (end < 0) pairAnchors(child);
    else {
      const inside = children.slice(at + 1, end) as PhrasingContent[];
      children.splice(at, end - at + 1, { type: 'link', url, children: inside });
    }
  }
}

const isEnd = (node: Nodes): boolean => node.type === 'html' && /^<\/a\s*>$/i.test(node.value);
