/** Words of the server as a sentence: they come without a capital and without a full stop. Pure. */
export function sentence(words: string): string {
  const text = words.trim();
  if (text === '') return '';
  // A name, a path or code at the start stays as it is written.
  const [first = ''] = text.split(/\s/);
  const start = /^\p{Ll}+$/u.test(first.replace(/[,:]$/, '')) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?…:)]$/.test(start) ? start : `${start}.`;
}
