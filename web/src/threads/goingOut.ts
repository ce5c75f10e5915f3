/** What a message takes along, piece by piece, for a person to look at before it goes anywhere. Pure. */
import type { TextSize } from '../editor/focus';
import type { Focus } from '../wire/gen/types';
import type { ThreadView } from './events';
import { focusWords, linesAlong, scopeWords } from './focusWords';

/** One piece, with how big it is. */
export interface Piece {
  readonly what: string;
  readonly size: string;
}

/** Where the person looks, as far as it goes along, and how long the text is there, if it is known. */
export interface Place {
  readonly focus: Focus | null;
  readonly size: TextSize | null;
}

/** The pieces that would go out with a message. */
export function goingOut(
  text: string,
  { focus, size }: Place,
  view: ThreadView,
  attached: readonly string[] = [],
): Piece[] {
  const pieces: Piece[] = [{ what: 'Your message', size: characters(text.length) }];
  if (focus && focus.scope !== 'nothing') pieces.push({ what: words(focus), size: lines(focus, size) });
  for (const what of attached) pieces.push({ what, size: 'shortened if long' });
  if (view.turns.length > 0) pieces.push({ what: 'This conversation so far', size: conversation(view) });
  pieces.push({ what: 'Content that the assistant reads', size: 'shown in the thread' });
  return pieces;
}

function words(focus: Focus): string {
  return focus.scope ? scopeWords(focus, focus.scope) : focusWords(focus);
}

function lines(focus: Focus, size: TextSize | null): string {
  const { selection, viewport, scope } = focus;
  if (scope === 'whole') return 'up to 2,000 lines';
  const chosen = { cursor: null, nothing: null, viewport, selection };
  const range = scope ? chosen[scope] : (linesAlong(focus, size) ?? selection ?? viewport);
  if (!range) return 'nearby lines';
  const count = range.end - range.start + 1;
  return count === 1 ? '1 line' : `${count} lines`;
}

function conversation({ turns }: ThreadView): string {
  const length = turns.reduce(
    (sum, turn) => sum + turn.text.length + turn.steps.reduce((all, step) => all + step.text.text.length, 0),
    0,
  );
  return `${turns.length} ${turns.length === 1 ? 'message' : 'messages'} with answers, ${characters(length)}`;
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count.toLocaleString('en')} characters`;
}
