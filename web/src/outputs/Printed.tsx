import { segmentsOf } from '../actions/hidden';
import { HiddenCharacter } from '../actions/Plain';

/** Printed text that looks the same: addresses are links, and what hides or turns text around is shown by its code. */
export function Printed({ text }: { text: string }) {
  return text.includes('://') ? text.split(ADDRESS).map(partOf) : marked(text);
}

/** Up to what ends a sentence around it; only of characters that can be seen. */
const ADDRESS = /(https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]*[\w\-~/#@$&*+=%])/;

function partOf(part: string, at: number) {
  if (at % 2 === 0) return marked(part);
  return (
    <a key={at} href={part} target="_blank" rel="noopener noreferrer">
      {part}
    </a>
  );
}

function marked(text: string) {
  return segmentsOf(text).map((segment, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a segment is its place
    segment.code === null || SPELT.has(segment.code) ? segment.text : <HiddenCharacter key={at} code={segment.code} />,
  );
}

/** Joiners are part of how words are written in many scripts, and one selector says how a sign looks. */
const SPELT = new Set(['U+200C', 'U+200D', 'U+FE0E']);
