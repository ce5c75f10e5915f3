import type { Mark } from './api';
import { piecesOf } from './pieces';

interface MarkedProps {
  text: string;
  marks: readonly Mark[];
  /** Stands beside each mark, which then is crossed out. */
  replacement?: string | undefined;
}

/** A text with its marks. */
export function Marked({ text, marks, replacement }: MarkedProps) {
  return piecesOf(text, marks).map(({ text, marked, at }) => {
    if (!marked) return text;
    if (replacement === undefined) return <mark key={at}>{text}</mark>;
    return (
      <span key={at}>
        <del>{text}</del>
        <ins>{replacement}</ins>
      </span>
    );
  });
}
