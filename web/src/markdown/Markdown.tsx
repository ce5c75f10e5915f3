import type { Definition, Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import { memo } from 'react';
import { blocksOf } from './blocks';
import styles from './Markdown.module.css';
import { Content } from './nodes';

/** A model's Markdown. Markup in it is text, nothing is fetched, and only the last block is rendered as it grows. */
export default function Markdown({ text }: { text: string }) {
  return (
    <div className={styles.markdown}>
      {blocksOf(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end.
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

const Block = memo(function Block({ text }: { text: string }) {
  const root = parse(text);
  return <Content nodes={root.children} definitions={definitionsOf(root)} />;
});

/** Without the constructs for HTML, tags are text and the Markdown around them still counts. */
function parse(text: string): Root {
  return fromMarkdown(text, {
    extensions: [
      gfm(),
      math({ singleDollarTextMath: FORMULA.test(text) }),
      { disable: { null: ['htmlFlow', 'htmlText'] } },
    ],
    mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
  });
}

/** Single dollars are prices unless there is something of a formula between them. */
const FORMULA = /\$[^\s$][^$\n]*[\\^_=][^$\n]*\$|\$[a-zA-Z]\$/;

function definitionsOf(root: Root): ReadonlyMap<string, Definition> {
  const isDefinition = (node: Nodes): node is Definition => node.type === 'definition';
  return new Map(root.children.filter(isDefinition).map((definition) => [definition.identifier, definition]));
}
