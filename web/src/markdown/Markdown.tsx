import type { Definition, Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { memo, useContext, useMemo } from 'react';
import { pairAnchors } from './anchors';
import { blocksOf } from './blocks';
import { BlockStart, DocumentContext, type MarkdownDocument } from './document';
import { EquationContext, equationNumbers } from './equations';
import styles from './Markdown.module.css';
import { protectMath, unprotected } from './math';
import { restoreMath } from './mathNodes';
import { Content } from './nodes';
import { findNoteSyntax } from './noteTree';
import { Unturned } from './Unturned';

/** A model's Markdown. Markup in it is text, nothing is fetched, and only the last block is rendered as it grows. */
export default function Markdown({ text }: { text: string }) {
  const around = useContext(EquationContext);
  const own = useMemo(() => equationNumbers([text]), [text]);
  let next = 0;
  const startOf = (block: string) => {
    const start = next;
    next += unprotected(block).length;
    return start;
  };
  const blocks = (
    <div className={styles.markdown}>
      {blocksOf(protectMath(text)).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end.
        <Block key={index} text={block} start={startOf(block)} />
      ))}
    </div>
  );
  // The cells of a notebook share their numbers.
  return around.size > 0 || own.size === 0 ? blocks : <EquationContext value={own}>{blocks}</EquationContext>;
}

/** What is longer than any writing would take the parser longer than a reader waits. */
const LONGEST_BLOCK = 40_000;

const Block = memo(function Block({ text, start }: { text: string; start: number }) {
  const document = useContext(DocumentContext);
  const root = text.length > LONGEST_BLOCK ? null : parsed(text, document);
  if (root === null)
    return (
      <pre className={styles.scroll}>
        <Unturned text={unprotected(text)} />
      </pre>
    );
  return (
    <BlockStart value={start}>
      <Content nodes={root.children} definitions={definitionsOf(root)} />
    </BlockStart>
  );
});

/** What is nested deeper was made to break the page: parser and renderer call themselves for every level. */
const DEEPEST = 100;

/** Returns null for what is nested too deep. */
function parsed(text: string, document: MarkdownDocument | null): Root | null {
  try {
    const root = parse(text, document);
    return isDeeper(root, DEEPEST) ? null : root;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isDeeper(root: Root, levels: number): boolean {
  let level: readonly Nodes[] = [root];
  for (let depth = 0; depth < levels; depth++) {
    level = level.flatMap((node) => ('children' in node ? node.children : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** Without the constructs for HTML, tags are text and the Markdown around them still counts. */
function parse(text: string, document: MarkdownDocument | null): Root {
  const markup = document !== null;
  const root = fromMarkdown(text, {
    extensions: [gfm(), { disable: { null: markup ? [] : ['htmlFlow', 'htmlText'] } }],
    mdastExtensions: [gfmFromMarkdown()],
  });
  restoreMath(root);
  if (markup) pairAnchors(root);
  if (document?.note) findNoteSyntax(root, text);
  return root;
}

function definitionsOf(root: Root): ReadonlyMap<string, Definition> {
  const isDefinition = (node: Nodes): node is Definition => node.type === 'definition';
  return new Map(root.children.filter(isDefinition).map((definition) => [definition.identifier, definition]));
}
