// Why a text is no notebook, in words. Pure.

/** Returns the reason; null if it looks like one. */
export function whyUnread(text: string): string | null {
  if (text.trim() === '') return 'The file is empty, and a notebook is not.';
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
    return typeof nbformat === 'number' && nbformat > 4 ? `This is a notebook of a newer format (${nbformat}).` : null;
  }
  return 'This can’t be read as a notebook: it has no list of cells.';
}
