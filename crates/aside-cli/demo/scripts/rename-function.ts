// Renames a function, or another name, in the code and in the notebooks of a folder. Whole words only; outputs stay as they are.
// Arguments: { "from": "total", "to": "total_height", "folder": "", "include": ["*.py"] }

const { from = "total", to = "total_height", folder = "", include = ["*.py"] } = args;
for (const name of [from, to]) {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) throw new AsideError("invalid_args", `"${name}" is no name of a function`);
}
const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${from.replace(/\$/g, "\\$")}(?![\\p{L}\\p{N}_$])`, "gu");

const within = folder === "" ? {} : { within: folder };
const scope = { ...within, include, match_case: true, whole_words: true };
let code = 0;
const found = (await aside.file.search({ text: from, ...scope })).data.files;
if (found.length > 0) {
  const replaced = (await aside.file.replace({ text: from, replacement: to, ...scope })).data?.files;
  code = replaced?.length ?? found.length;
}

let cells = 0;
for (const path of (await files(folder)).filter((path) => path.endsWith(".ipynb"))) {
  const keys = (await aside.notebook.read({ path, find: from })).data.shown
    .filter((cell: any) => cell.kind === "code")
    .map((cell: any) => cell.cell);
  if (keys.length === 0) continue;
  for (const cell of (await aside.notebook.read({ path, cells: keys })).data.shown) {
    const edits = (cell.source ?? "").split("\n").flatMap((old: string, at: number) => {
      const line = old.replace(word, () => to);
      return line === old ? [] : [{ start: at + 1, end: at + 1, old, new: line }];
    });
    if (edits.length === 0) continue;
    await aside.cell.edit({ path, cell: cell.cell, version: cell.version, edits });
    cells += 1;
  }
}
return { files: code, cells };

/** All files below a folder, without hidden ones and those that git ignores. */
async function files(folder: string): Promise<string[]> {
  const { entries } = (await aside.file.list({ folder })).data;
  const shown = entries.filter((entry: any) => !entry.ignored && !entry.link && !/(^|\/)\.[^/]*$/.test(entry.path));
  const below = await Promise.all(shown.map((entry: any) => (entry.folder ? files(entry.path) : [entry.path])));
  return below.flat();
}
