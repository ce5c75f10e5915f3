// Renames a column of a data frame in all notebooks of a folder: "height_m" in quotes becomes "height".
// Arguments: { "from": "height_m", "to": "height", "folder": "" }

const { from = "height_m", to = "height", folder = "" } = args;
const quoted = new RegExp(`(["'])${from.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\1`, "g");

let cells = 0;
const notebooks = (await files(folder)).filter((path) => path.endsWith(".ipynb"));
for (const path of notebooks) {
  for (const cell of await cellsWith(path, from)) {
    const edits = cell.source.split("\n").flatMap((old: string, at: number) => {
      const line = old.replace(quoted, (_: string, quote: string) => quote + to + quote);
      return line === old ? [] : [{ start: at + 1, end: at + 1, old, new: line }];
    });
    if (edits.length === 0) continue;
    await aside.cell.edit({ path, cell: cell.cell, version: cell.version, edits });
    cells += 1;
  }
}
console.log(`looked into ${notebooks.length} notebooks`);
return { notebooks: notebooks.length, cells };

/** The code cells of a notebook that contain a text, with their whole source. */
async function cellsWith(path: string, text: string): Promise<any[]> {
  const found = (await aside.notebook.read({ path, find: text })).data.shown;
  const code = found.filter((cell: any) => cell.kind === "code").map((cell: any) => cell.cell);
  if (code.length === 0) return [];
  const whole = (await aside.notebook.read({ path, cells: code })).data.shown;
  return whole.filter((cell: any) => cell.source !== undefined);
}

/** All files below a folder, without hidden ones and those that git ignores. */
async function files(folder: string): Promise<string[]> {
  const { entries } = (await aside.file.list({ folder })).data;
  const shown = entries.filter((entry: any) => !entry.ignored && !entry.link && !/(^|\/)\.[^/]*$/.test(entry.path));
  const below = await Promise.all(shown.map((entry: any) => (entry.folder ? files(entry.path) : [entry.path])));
  return below.flat();
}
