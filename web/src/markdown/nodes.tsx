/** The nodes of a Markdown tree as elements: no HTML is ever made out of text. */
import type { Definition, List, ListItem, Nodes, Table } from 'mdast';
import { createContext, lazy, type ReactNode, Suspense, useContext } from 'react';
import { CodeBlock } from './CodeBlock';
import { DocumentContext } from './document';
import { EquationContext, numbered } from './equations';
import styles from './Markdown.module.css';
import './mathNodes';
import { CalloutBox, Diagram, Footnote, Hashtag, TodoBox, WikiLink } from './noteNodes';
import { follow, LinkContext, targetFrom } from './places';
import { linkTarget, pictureTag, saysItsHost } from './rules';
import { isTurned, Unturned } from './Unturned';

const Formula = lazy(() => import('./Formula'));
const Html = lazy(() => import('../outputs/Html'));
const FilePicture = lazy(() => import('./FilePicture'));

/** What marks words of a text, such as the names of people in a chat; nothing does by default. */
export const MarkWords = createContext<(text: string) => ReactNode>((text) => text);

interface Props {
  readonly nodes: readonly Nodes[];
  readonly definitions: ReadonlyMap<string, Definition>;
}

/** Renders nodes in a row. */
export function Content({ nodes, definitions }: Props): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: nodes have no other name, and their order is their place.
  return nodes.map((node, index) => <Node key={index} node={node} definitions={definitions} />);
}

function Node({ node, definitions }: { node: Nodes; definitions: Props['definitions'] }): ReactNode {
  const inside = 'children' in node ? <Content nodes={node.children} definitions={definitions} /> : null;
  switch (node.type) {
    case 'paragraph':
      return <p>{inside}</p>;
    case 'heading':
      return <Heading depth={node.depth}>{inside}</Heading>;
    case 'text':
      return <Words text={node.value} />;
    case 'html':
      return <Markup text={node.value} />;
    case 'emphasis':
      return <em>{inside}</em>;
    case 'strong':
      return <strong>{inside}</strong>;
    case 'delete':
      return <del>{inside}</del>;
    case 'inlineCode':
      return (
        <code>
          <Unturned text={node.value} />
        </code>
      );
    case 'code':
      if (node.lang && /^\{?mermaid\}?$/i.test(node.lang)) return <Diagram text={node.value} />;
      return <CodeBlock language={node.lang ?? null} text={node.value} />;
    case 'blockquote':
      if (node.data?.callout) return <CalloutBox callout={node.data.callout}>{inside}</CalloutBox>;
      return <blockquote>{inside}</blockquote>;
    case 'wikiLink':
      return <WikiLink inside={node.inside} embeds={node.embeds} />;
    case 'hashtag':
      return <Hashtag text={node.value} />;
    case 'highlight':
      return <mark>{inside}</mark>;
    case 'footnoteMark':
      return <Footnote label={node.label} />;
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr />;
    case 'list':
      return <Items list={node}>{inside}</Items>;
    case 'listItem':
      return <Item item={node}>{inside}</Item>;
    case 'table':
      return <TableOf table={node} definitions={definitions} />;
    case 'link':
      return (
        <Link url={node.url} words={wordsOf(node)}>
          {inside}
        </Link>
      );
    case 'linkReference':
      return (
        <Link url={definitions.get(node.identifier)?.url ?? ''} words={wordsOf(node)}>
          {inside}
        </Link>
      );
    case 'image':
      return <Image url={node.url} alt={node.alt ?? ''} />;
    case 'imageReference':
      return <Image url={definitions.get(node.identifier)?.url ?? ''} alt={node.alt ?? ''} />;
    case 'math':
    case 'inlineMath':
      return <Equation tex={node.value} block={node.type === 'math'} />;
    case 'equationReference':
      return <Reference label={node.label} parentheses={node.parentheses} />;
    case 'footnoteReference':
      return (
        <sup>
          <Words text={node.label ?? node.identifier} />
        </sup>
      );
    case 'footnoteDefinition':
      return (
        <div className={styles.footnote}>
          <sup>
            <Words text={node.label ?? node.identifier} />
          </sup>{' '}
          {inside}
        </div>
      );
    default:
      return inside;
  }
}

function Equation({ tex, block }: { tex: string; block: boolean }) {
  const numbers = useContext(EquationContext);
  if (isTurned(tex)) {
    return (
      <code>
        <Unturned text={tex} />
      </code>
    );
  }
  return (
    <Suspense fallback={<code>{tex}</code>}>
      <Formula tex={numbered(tex, block, numbers)} block={block} />
    </Suspense>
  );
}

/** `\\eqref{label}`: the number of an equation, and a way to it. */
function Reference({ label, parentheses }: { label: string; parentheses: boolean }) {
  const number = useContext(EquationContext).get(label) ?? '?';
  return (
    <Link url={`#${encodeURIComponent(label)}`} words="">
      {parentheses ? `(${number})` : number}
    </Link>
  );
}

function Words({ text }: { text: string }) {
  return <Unturned text={text} draw={useContext(MarkWords)} />;
}

/** Headings of an answer stand under the heading of the answer; those of a document under that of the window. */
function Heading({ depth, children }: { depth: number; children: ReactNode }) {
  if (useContext(DocumentContext)) {
    const Tag = DEPTHS[Math.min(depth, DEPTHS.length) - 1] ?? 'h6';
    return <Tag data-depth={depth}>{children}</Tag>;
  }
  return depth <= 2 ? <h4 className={styles.big}>{children}</h4> : <h5>{children}</h5>;
}

const DEPTHS = ['h2', 'h3', 'h4', 'h5', 'h6'] as const;

function Items({ list, children }: { list: List; children: ReactNode }) {
  const tasks = list.children.some((item) => typeof item.checked === 'boolean');
  const className = tasks ? styles.tasks : undefined;
  if (!list.ordered) return <ul className={className}>{children}</ul>;
  return (
    <ol start={list.start ?? 1} className={className}>
      {children}
    </ol>
  );
}

function Item({ item, children }: { item: ListItem; children: ReactNode }) {
  if (typeof item.checked !== 'boolean') return <li>{children}</li>;
  return (
    <li className={styles.task}>
      <TodoBox item={item} words={wordsOf(item)} />
      <div>{children}</div>
    </li>
  );
}

function TableOf({ table, definitions }: { table: Table; definitions: Props['definitions'] }) {
  const [head, ...rows] = table.children;
  const cells = (row: Table['children'][number], as: 'th' | 'td') =>
    row.children.map((cell, column) => {
      const Cell = as;
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column.
        <Cell key={column} style={{ textAlign: table.align?.[column] ?? undefined }}>
          <Content nodes={cell.children} definitions={definitions} />
        </Cell>
      );
    });
  return (
    <div className={styles.scroll}>
      <table>
        {head && (
          <thead>
            <tr>{cells(head, 'th')}</tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
            <tr key={index}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A link says where it leads, unless its words do; what may not be followed is text. */
function Link({ url, words, children }: { url: string; words: string; children: ReactNode }) {
  const place = useContext(LinkContext);
  const target = targetFrom(url, place);
  if (target === null) return children;
  if (target.kind === 'path' || target.kind === 'heading') {
    return (
      <button type="button" className={styles.file} onClick={() => follow(target, place)}>
        {children}
      </button>
    );
  }
  return (
    <>
      <a href={target.href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
      {!saysItsHost(words, target) && <span className={styles.host}> ({target.host})</span>}
    </>
  );
}

/** Markup of a document without anything that could run. Between words only line breaks and pictures are left of it. */
function Markup({ text }: { text: string }) {
  const picture = pictureTag(text);
  if (picture) return <Image {...picture} />;
  if (/^<\/?[a-z][^>]*>$/i.test(text)) return /^<br/i.test(text) ? <br /> : null;
  return (
    <Suspense fallback={null}>
      <Html text={text} />
    </Suspense>
  );
}

/** Nothing is fetched because a model wrote it: a picture is a link that names its host. */
function Image({ url, alt }: { url: string; alt: string }) {
  const document = useContext(DocumentContext);
  const own = document?.picture(url);
  const file = document?.file(url);
  if (file) {
    return (
      <Suspense fallback={alt}>
        <FilePicture path={file} alt={alt} />
      </Suspense>
    );
  }
  if (own) return <img src={own} alt={alt} className={styles.picture} />;
  const target = linkTarget(url);
  const words = `Image${alt === '' ? '' : `: ${alt}`}`;
  return (
    <Link url={target === null ? '' : url} words="">
      <Unturned text={words} />
    </Link>
  );
}

function wordsOf(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(wordsOf).join('') : '';
}
