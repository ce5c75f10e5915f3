/** Parts that React draws inside the editor: each has a root of its own, so it has nothing of the window around it. */
import type { Text } from '@codemirror/state';
import { lazy, Suspense, useState } from 'react';
import { EquationContext, equationNumbers } from '../markdown/equations';
import FilePicture from '../markdown/FilePicture';
import styles from '../markdown/Notes.module.css';
import { propertiesOf } from '../markdown/noteSyntax';
import { announce } from '../ui/Announcer';
import { IconButton } from '../ui/Button';

const NoteText = lazy(() => import('../notes/NoteText'));
const Embed = lazy(() => import('../notes/Embed'));

/** Lines as they are read. */
export function BlockText({ path, text, all }: { path: string; text: string; all: Text }) {
  const hasNumbers = /\\(?:label|ref|eqref)\{/.test(text);
  const block = (
    <Suspense fallback={null}>
      <NoteText path={path} text={text} />
    </Suspense>
  );
  return hasNumbers ? <EquationContext value={equationNumbers([all.toString()])}>{block}</EquationContext> : block;
}

/** A picture, in the width that its note wants. */
export function EmbeddedPicture({ path, alt, width }: { path: string; alt: string; width: number | null }) {
  return (
    <span style={width === null ? undefined : { display: 'inline-block', inlineSize: width, maxInlineSize: '100%' }}>
      <FilePicture path={path} alt={alt} />
    </span>
  );
}

/** Another note. */
export function EmbeddedNote({ from, inside }: { from: string; inside: string }) {
  return (
    <Suspense fallback={null}>
      <Embed from={from} inside={inside} depth={0} />
    </Suspense>
  );
}

/** Front matter as pairs, folded at first. */
export function Properties({ yaml, onEdit }: { yaml: string; onEdit(): void }) {
  const properties = propertiesOf(yaml);
  const count = properties.length === 1 ? '1 property' : `${properties.length} properties`;
  return (
    <details className={styles.properties}>
      <summary>{count}</summary>
      <dl>
        {properties.map(({ name, value }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a key may stand twice
          <div key={at} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className={styles.link} onClick={onEdit}>
        Edit properties
      </button>
    </details>
  );
}

/** The head of fenced code. */
export function CopyCode({ info, code }: { info: string; code: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    setCopied(true);
    announce('Copied');
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <span className="cm-md-fence">
      <span>{info}</span>
      <IconButton icon={copied ? 'check' : 'copy'} label="Copy code" onClick={() => void copy()} />
    </span>
  );
}
