// What is put into a terminal at once. Pure.

/** Characters that a person can't see and a terminal takes for keys; line ends and tabs stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f]/g;

/** A text as it may be pasted: without control characters, which could end a paste early and press keys. */
export function pasted(text: string): string {
  return text.replace(CONTROLS, '');
}

/** How many lines a text has, if it has more than one: a shell may run each of them at once. Null for one line. */
export function linesPasted(text: string): number | null {
  const lines = pasted(text)
    .replace(/(?:\r\n|\r|\n)$/, '')
    .split(/\r\n|\r|\n/).length;
  return lines > 1 ? lines : null;
}
