import { Fragment, type ReactNode } from 'react';
import { codeOf } from '../actions/hidden';
import { HiddenCharacter } from '../actions/Plain';

/** What turns the text after it around, whatever its script: no language needs it to be read the right way. */
const TURNS = /([\u202a-\u202e\u2066-\u2069])/;

/** Text of any script, in which only what would turn it around is shown by its code. */
export function Unturned({ text, draw = (part) => part }: { text: string; draw?: (part: string) => ReactNode }) {
  const parts = text.split(TURNS);
  if (parts.length === 1) return draw(text);
  return parts.map((part, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
    return <Fragment key={at}>{at % 2 === 0 ? draw(part) : <HiddenCharacter code={codeOf(part)} />}</Fragment>;
  });
}

/** Whether a text has such a character. */
export const isTurned = (text: string): boolean => TURNS.test(text);
