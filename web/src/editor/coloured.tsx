/** Code in colours, where it is shown without an editor. */
import { highlightCode } from '@lezer/highlight';
import type { ReactNode } from 'react';
import { colours } from './theme';

/** The text of a syntax tree as elements with the colours of the editor. */
export function colouredNodes(text: string, tree: Parameters<typeof highlightCode>[1]): ReactNode {
  const nodes: ReactNode[] = [];
  highlightCode(
    text,
    tree,
    colours,
    (piece, classes) =>
      nodes.push(
        classes ? (
          <span key={nodes.length} className={classes}>
            {piece}
          </span>
        ) : (
          piece
        ),
      ),
    () => nodes.push('\n'),
  );
  return [...nodes, '\n'];
}
