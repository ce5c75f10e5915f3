// Why a text is no notebook, in words. Pure.

/** Returns the reason; null if it looks like one. */
export function whyUnread(text: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `This is not a valid notebook: the file is not JSON (${error instanceof Error ? error.message : error}).`;
  }
  const { cells, worksheets, nbformat } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  if (Array.isArray(cells) || Array.isArray(worksheets)) {
    if (typeof nbformat !== 'number') return 'This is not a valid notebook: it has no nbformat.';
    if (nbformat > 4) return `This notebook uses a newer format (${nbformat}).`;
    return nbformat < 1 ? `This notebook uses an unknown format (${nbformat}). Aside reads formats 1 to 4.` : null;
  }
  return 'This is not a valid notebook: it has no list of cells.';
}
