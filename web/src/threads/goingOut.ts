/** What a message takes along, piece by piece, for a person to look at before it goes anywhere. Pure. */
import type { Focus } from '../wire/gen/types';
import type { ThreadView } from './events';
import { focusWords } from './focusWords';

/** One piece, with how big it is. */
export interface Piece {
  readonly what: string;
  readonly size: string;
}

/** The pieces that would go out with a message. */
export function goingOut(text: string, focus: Focus | null, view: ThreadView): Piece[] {
  const pieces: Piece[] = [{ what: 'Your message', size: characters(text.length) }];
  if (focus) pieces.push({ what: focusWords(focus), size: lines(focus) });
  if (view.turns.length > 0) pieces.push({ what: 'This conversation so far', size: conversation(view) });
  pieces.push({ what: 'What the assistant reads to answer', size: 'as it asks, shown in the thread' });
  return pieces;
}

function lines({ selection, viewport }: Focus): string {
  const range = selection ?? viewport;
  if (!range) return 'the lines around it';
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
