// Clears the outputs of notebooks that are larger than a size. Their code stays, and the outputs can be restored by undo.
// Arguments: { "megabytes": 1, "folder": "" }

const { megabytes = 1, folder = "" } = args;

// All are read before the first is cleared: an approval for all of them ends when outputs, which may come from anywhere, are read.
const large: { path: string; size: number; cells: string[] }[] = [];
for (const { path, size } of await notebooks(folder)) {
  if (size > megabytes * 1_000_000) large.push({ path, size, cells: await withOutputs(path) });
}
const toClear = large.filter(({ cells }) => cells.length > 0);
for (const { path, cells } of toClear) await aside.cell.clear_outputs({ path, cells });
return toClear.map(({ path, size, cells }) => ({ notebook: path, size: `${(size / 1_000_000).toFixed(1)} MB`, cells: cells.length }));

/** The keys of the cells of a notebook that have outputs. */
async function withOutputs(path: string): Promise<string[]> {
  const keys: string[] = [];
  for (let from = 1; ; ) {
    const { shown, cells } = (await aside.notebook.read({ path, from })).data;
    keys.push(...shown.filter((cell: any) => cell.has_outputs).map((cell: any) => cell.cell));
    const last = shown.at(-1)?.place ?? cells;
    if (last >= cells) return keys;
    from = last + 1;
  }
}

/** The notebooks below a folder with their sizes, without hidden ones and those that git ignores. */
async function notebooks(folder: string): Promise<{ path: string; size: number }[]> {
  const { entries } = (await aside.file.list({ folder })).data;
  const shown = entries.filter((entry: any) => !entry.ignored && !entry.link && !/(^|\/)\.[^/]*$/.test(entry.path));
  const below = await Promise.all(
    shown.map((entry: any) => (entry.folder ? notebooks(entry.path) : entry.path.endsWith(".ipynb") ? [entry] : [])),
  );
  return below.flat();
}
