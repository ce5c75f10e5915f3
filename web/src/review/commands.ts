/** The keys of a review, also in the palette. */
import { CARD_KEYS, isAtCard } from '../app/cardKeys';
import { type Command, registerCommands } from '../app/commands';
import { announce } from '../ui/Announcer';
import { currentReviewer } from './store';

const GROUP = 'Review';

function say(words: string | null | undefined): void {
  if (words) announce(words);
}

const hasReview = () => currentReviewer() !== null;

const commands: Command[] = [
  { id: 'review.next', title: 'Next change', keys: ['Alt-]'], run: () => say(currentReviewer()?.goTo(1)) },
  { id: 'review.previous', title: 'Previous change', keys: ['Alt-['], run: () => say(currentReviewer()?.goTo(-1)) },
  {
    id: 'review.accept',
    title: 'Accept this change, or refresh it if out of date',
    keys: [CARD_KEYS.accept],
    once: true,
    when: () => hasReview() && !isAtCard('accept'),
    run: () => say(currentReviewer()?.answer('accept')),
  },
  {
    id: 'review.reject',
    title: 'Reject this change',
    keys: [CARD_KEYS.reject],
    once: true,
    when: () => hasReview() && !isAtCard('reject'),
    run: () => say(currentReviewer()?.answer('reject')),
  },
  {
    id: 'review.accept_all',
    title: 'Accept all changes in this proposal',
    keys: ['Mod-Enter'],
    once: true,
    when: () => currentReviewer()?.hasCurrent() ?? false,
    run: () => currentReviewer()?.acceptAction(),
  },
].map((command) => ({ group: GROUP, when: hasReview, ...command }));

let registered = false;

/** Adds the keys; the first editor does. */
export function registerReviewCommands(): void {
  if (registered) return;
  registered = true;
  registerCommands(commands);
}
