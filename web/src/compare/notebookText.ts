// A notebook as lines that can be compared: the sources of its cells, without outputs and counts. Pure.

/** Returns the lines of a notebook; null if the text is none. */
export function notebookLines(text: string): string | null {
  try {
    const { cells } = JSON.parse(text) as { cells?: unknown };
    return Array.isArray(cells) ? `${cells.map(cellLines).join('\n\n')}\n` : null;
  } catch {
    return null;
  }
}

function cellLines(cell: unknown, index: number): string {
  const { cell_type: kind, id, source } = (cell ?? {}) as Record<string, unknown>;
  const lines = Array.isArray(source) ? source.join('') : String(source ?? '');
  return `# %% [${String(kind ?? 'cell')}] ${String(id ?? index + 1)}\n${lines}`;
}
