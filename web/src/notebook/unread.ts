// Why a text is no notebook, in words. Pure.

/** Returns the reason; null if it looks like one. */
export function whyUnread(text: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `This can’t be read as a notebook: it is not JSON (${error instanceof Error ? error.message : error}).`;
  }
  const { cells, worksheets, nbformat } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  if (Array.isArray(cells) || Array.isArray(worksheets)) {
    if (typeof nbformat !== 'number') return 'This can’t be read as a notebook: it doesn’t say its nbformat.';
    if (nbformat > 4) return `This is a notebook of a newer format (${nbformat}).`;
    return nbformat < 3 ? `This is a notebook of an old format (${nbformat}): 3 and 4 can be read.` : null;
  }
  return 'This can’t be read as a notebook: it has no list of cells.';
}
