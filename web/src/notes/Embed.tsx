import { lazy, Suspense, useEffect, useState } from 'react';
import FilePicture from '../markdown/FilePicture';
import styles from '../markdown/Notes.module.css';
import { wikiLinkOf, wikiWords } from '../markdown/noteSyntax';
import { pictureFile, pictureKind } from '../markdown/rules';
import { connection } from '../wire/connection';
import type { Failure } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { type ResolvedLink, resolveLink } from './api';
import WikiTarget from './WikiTarget';

const NoteText = lazy(() => import('./NoteText'));

interface EmbedProps {
  /** The note that embeds it. */
  from: string;
  /** The text between the brackets. */
  inside: string;
  depth: number;
}

/** Notes in notes in notes are enough: two that embed each other have no end. */
const DEEPEST = 3;

/** Another note, or a part of it, inside a note. */
export default function Embed({ from, inside, depth }: EmbedProps) {
  const { found, failure } = useResolved(from, inside);
  const link = wikiLinkOf(inside);
  // Where nobody answers, a picture is looked for beside the note.
  const picture = pictureKind(link.target)
    ? (found?.to ?? (failure ? pictureFile(encodeURI(link.target), from) : null))
    : null;
  if (picture) {
    const width = /^(\d{1,4})(?:x\d+)?$/.exec(link.alias ?? '')?.[1];
    const alt = width !== undefined || link.alias === null ? link.target : link.alias;
    return (
      <span
        style={
          width === undefined
            ? undefined
            : { display: 'inline-block', inlineSize: Number(width), maxInlineSize: '100%' }
        }
      >
        <FilePicture path={picture} alt={alt} />
      </span>
    );
  }
  if (failure || !found?.is_note || found.to === null || depth >= DEEPEST)
    return <WikiTarget from={from} inside={inside} />;
  return (
    <section className={styles.embed} aria-label={`Embedded: ${wikiWords(link)}`}>
      <p className={styles.embedHead}>
        <WikiTarget from={from} inside={inside} />
      </p>
      <Suspense fallback={null}>
        <NoteText path={found.to} text={found.excerpt} depth={depth + 1} />
      </Suspense>
    </section>
  );
}

/** Where a link leads, and what stands there; read again when files change. */
export function useResolved(from: string, inside: string): { found?: ResolvedLink; failure?: Failure } {
  const [state, setState] = useState<{ found?: ResolvedLink; failure?: Failure }>({});
  const target = inside.split('|')[0]?.trim() ?? '';
  useEffect(() => {
    let gone = false;
    const read = () =>
      resolveLink(from, target, 'wiki').then(
        (found) => !gone && setState({ found }),
        (error: unknown) => !gone && setState({ failure: failureOf(error) }),
      );
    void read();
    const stop = connection.on('files_changed', () => void read());
    return () => {
      gone = true;
      stop();
    };
  }, [from, target]);
  return state;
}
