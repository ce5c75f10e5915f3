/** Folders of the history by what a person calls them. Pure. */

/** The folder that words mean, or why they mean none. */
export type Meant = { folder: string } | { problem: string };

/** Finds it among known folders: a whole path is itself, else the words are the last part of one folder, or of one above it. */
export function folderOf(words: string, known: readonly string[]): Meant {
  const text = words.trim().replace(/[\\/]+$/, '');
  if (text === '' || /^([\\/]|[A-Za-z]:)/.test(text)) return { folder: text };
  const end = `/${text.replace(/^~?[\\/]/, '').toLowerCase()}/`;
  const found = new Set(known.flatMap((path) => upTo(path, end)));
  const [folder] = found;
  if (folder === undefined) return { problem: `No folder named “${text}” in the history.` };
  if (found.size > 1) return { problem: `Several folders are named “${text}”. Choose one or enter its full path.` };
  return { folder };
}

/** The part of a path that ends so. */
function upTo(path: string, end: string): string[] {
  const at = `${path.replaceAll('\\', '/')}/`.toLowerCase().indexOf(end);
  return at < 0 ? [] : [path.slice(0, at + end.length - 1)];
}
