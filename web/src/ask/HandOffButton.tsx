import type { HandOff } from '../wire/gen/types';
import { OpenAsThread } from './OpenAsThread';
import { seedOfHandOff } from './seed';

/** Follows the Navigator's offer by hand: a full thread of the coding agent, with the goal and the context in its draft. */
export function HandOffButton({ goal, offer }: { goal: string; offer: HandOff }) {
  return <OpenAsThread seed={() => seedOfHandOff(goal, offer)} words="Continue with the coding agent" look="primary" />;
}
