import { Suspense, useEffect, useReducer } from 'react';
import { createPortal } from 'react-dom';
import styles from '../markdown/Notes.module.css';
import { wikiLinkOf, wikiWords } from '../markdown/noteSyntax';
import { followWiki } from './follow';
import { LinkPreview } from './LinkPreview';
import { knownTarget, onTargets } from './targets';
import { useHover } from './useHover';

/** A wiki link as a way to its note, with a preview of it under the mouse. */
export default function WikiTarget({ from, inside }: { from: string; inside: string }) {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onTargets(from, again), [from]);
  const { hovered, onEnter, onLeave } = useHover(from, inside);
  const target = knownTarget(from, inside, 'wiki');
  const isUnresolved = target !== undefined && (target.path === null || !target.anchorFound);
  return (
    <>
      <button
        type="button"
        className={styles.link}
        data-unresolved={isUnresolved || undefined}
        data-wiki={inside}
        title={isUnresolved ? 'No note has this name yet' : undefined}
        onMouseEnter={(event) => onEnter(event.currentTarget)}
        onMouseLeave={onLeave}
        onClick={() => {
          onLeave();
          void followWiki(from, inside);
        }}
      >
        {wikiWords(wikiLinkOf(inside))}
      </button>
      {hovered &&
        createPortal(
          <div className={styles.hover} style={hovered.style}>
            <Suspense fallback={null}>
              <LinkPreview found={hovered.found} />
            </Suspense>
          </div>,
          document.body,
        )}
    </>
  );
}
