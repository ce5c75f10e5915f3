import type { Definition, Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { memo, useContext, useMemo } from 'react';
import { pairAnchors } from './anchors';
import { blocksOf } from './blocks';
import { DocumentContext } from './document';
import { EquationContext, equationNumbers } from './equations';
import styles from './Markdown.module.css';
import { protectMath, unprotected } from './math';
import { restoreMath } from './mathNodes';
import { Content } from './nodes';
import { Unturned } from './Unturned';

/** A model's Markdown. Markup in it is text, nothing is fetched, and only the last block is rendered as it grows. */
export default function Markdown({ text }: { text: string }) {
  const around = useContext(EquationContext);
  const own = useMemo(() => equationNumbers([text]), [text]);
  const blocks = (
    <div className={styles.markdown}>
      {blocksOf(protectMath(text)).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end.
        <Block key={index} text={block} />
      ))}
    </div>
  );
  // The cells of a notebook share their numbers.
  return around.size > 0 || own.size === 0 ? blocks : <EquationContext value={own}>{blocks}</EquationContext>;
}

/** What is longer than any writing would take the parser longer than a reader waits. */
const LONGEST_BLOCK = 40_000;

const Block = memo(function Block({ text }: { text: string }) {
  const markup = useContext(DocumentContext) !== null;
  const root = text.length > LONGEST_BLOCK ? null : parsed(text, markup);
  if (root === null)
    return (
      <pre className={styles.scroll}>
        <Unturned text={unprotected(text)} />
      </pre>
    );
  return <Content nodes={root.children} definitions={definitionsOf(root)} />;
});

/** What is nested deeper was made to break the page: parser and renderer call themselves for every level. */
const DEEPEST = 100;

/** Returns null for what is nested too deep. */
function parsed(text: string, markup: boolean): Root | null {
  try {
    const root = parse(text, markup);
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
function parse(text: string, markup: boolean): Root {
  const root = fromMarkdown(text, {
    extensions: [gfm(), { disable: { null: markup ? [] : ['htmlFlow', 'htmlText'] } }],
    mdastExtensions: [gfmFromMarkdown()],
  });
  restoreMath(root);
  if (markup) pairAnchors(root);
  return root;
}

function definitionsOf(root: Root): ReadonlyMap<string, Definition> {
  const isDefinition = (node: Nodes): node is Definition => node.type === 'definition';
  return new Map(root.children.filter(isDefinition).map((definition) => [definition.identifier, definition]));
}
