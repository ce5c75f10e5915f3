import { useEffect, useReducer } from 'react';
import styles from '../markdown/Notes.module.css';
import { wikiLinkOf, wikiWords } from '../markdown/noteSyntax';
import { followWiki } from './follow';
import { knownTarget, onTargets } from './targets';

/** A wiki link as a way to its note. */
export default function WikiTarget({ from, inside }: { from: string; inside: string }) {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onTargets(from, again), [from]);
  const target = knownTarget(from, inside, 'wiki');
  const isUnresolved = target !== undefined && (target.path === null || !target.anchorFound);
  return (
    <button
      type="button"
      className={styles.link}
      data-unresolved={isUnresolved || undefined}
      data-wiki={inside}
      title={isUnresolved ? 'No note has this name yet' : (target?.path ?? undefined)}
      onClick={() => void followWiki(from, inside)}
    >
      {wikiWords(wikiLinkOf(inside))}
    </button>
  );
}
