/** The constructs of notes as elements. */
import type { ListItem } from 'mdast';
import { lazy, type ReactNode, Suspense, useContext } from 'react';
import { Icon, type IconName } from '../ui/Icon';
import { CodeBlock } from './CodeBlock';
import { BlockStart, DocumentContext } from './document';
import styles from './Notes.module.css';
import { type Callout, type CalloutTone, wikiLinkOf, wikiWords } from './noteSyntax';

const WikiTarget = lazy(() => import('../notes/WikiTarget'));
const Embed = lazy(() => import('../notes/Embed'));
const Mermaid = lazy(() => import('./Mermaid'));

/** `[[note]]`: a way to it; `![[note]]`: what it says. */
export function WikiLink({ inside, embeds }: { inside: string; embeds: boolean }) {
  const note = useContext(DocumentContext)?.note;
  const words = wikiWords(wikiLinkOf(inside));
  if (!note) return `${embeds ? '!' : ''}[[${inside}]]`;
  return (
    <Suspense fallback={words}>
      {embeds ? (
        <Embed from={note.path} inside={inside} depth={note.depth} />
      ) : (
        <WikiTarget from={note.path} inside={inside} />
      )}
    </Suspense>
  );
}

/** `#tag`. */
export function Hashtag({ text }: { text: string }) {
  return <span className={styles.tag}>{text}</span>;
}

/** `[^label]`. */
export function Footnote({ label }: { label: string }) {
  return <sup className={styles.footnote}>{label}</sup>;
}

/** A diagram, where notes are read; elsewhere its text. */
export function Diagram({ text }: { text: string }) {
  const code = <CodeBlock language="mermaid" text={text} />;
  if (!useContext(DocumentContext)) return code;
  return (
    <Suspense fallback={code}>
      <Mermaid text={text} />
    </Suspense>
  );
}

const SHAPES: Readonly<Record<CalloutTone, IconName>> = {
  note: 'pencil',
  tip: 'check',
  warn: 'warning',
  err: 'error',
  quote: 'chat',
};

/** A remark with a title, which may be folded. */
export function CalloutBox({ callout, children }: { callout: Callout; children: ReactNode }) {
  const { tone, title, fold } = callout;
  const head = (
    <>
      <Icon name={SHAPES[tone]} />
      <strong>{title}</strong>
    </>
  );
  if (fold === null) {
    return (
      <div className={styles.callout} data-callout={tone} role="note" aria-label={title}>
        <p className={styles.head}>{head}</p>
        {children}
      </div>
    );
  }
  return (
    <details className={styles.callout} data-callout={tone} open={fold === 'open'}>
      <summary className={styles.head}>{head}</summary>
      {children}
    </details>
  );
}

/** The checkbox of a todo. */
export function TodoBox({ item, words }: { item: ListItem; words: string }) {
  const toggle = useContext(DocumentContext)?.note?.toggle ?? null;
  const start = useContext(BlockStart);
  const at = item.data?.at === undefined ? undefined : start + item.data.at;
  return (
    <input
      type="checkbox"
      checked={item.checked === true}
      disabled={toggle === null || at === undefined}
      onChange={() => at !== undefined && toggle?.(at)}
      aria-label={words}
    />
  );
}
