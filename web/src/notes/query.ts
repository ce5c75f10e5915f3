// The question for completions that the text before the cursor asks. Pure.
import type { CompletionKind } from '../wire/gen/types';

/** The kind of thing that is looked for. */
export interface NoteQuery {
  readonly kind: CompletionKind;
  /** Its typed part, from which the text before the cursor is replaced. */
  readonly text: string;
  /** The note whose headings are looked for; empty for the note itself. */
  readonly target?: string;
  /** The characters that end it. */
  readonly end: ']]' | ')' | '';
}

const PATTERNS: readonly [RegExp, (found: RegExpExecArray) => NoteQuery][] = [
  [/\[\[([^[\]|#]*)#([^[\]|]*)$/, ([, target = '', text = '']) => ({ kind: 'heading', text, target, end: ']]' })],
  [/\[\[([^[\]|#]*)$/, ([, text = '']) => ({ kind: 'note', text, end: ']]' })],
  [/\]\(<?([^()<>\s#:]*)$/, ([, text = '']) => ({ kind: 'file', text, end: ')' })],
  // At the start of a line a lone `#` begins a heading.
  [/(?:^#|[\s(]#)([\p{L}\p{M}\p{N}_/-]+)$/u, ([, text = '']) => ({ kind: 'tag', text, end: '' })],
  [/\S.*[\s(]#$/, () => ({ kind: 'tag', text: '', end: '' })],
];

/** Returns the question; null if none is asked. */
export function queryBefore(before: string): NoteQuery | null {
  for (const [pattern, queryOf] of PATTERNS) {
    const found = pattern.exec(before);
    if (found) return queryOf(found);
  }
  return null;
}
