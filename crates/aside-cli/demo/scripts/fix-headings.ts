// Fixes the headings of all chapters: one title a chapter, and no level left out below it.
// "# One", "# Two", "#### Deep" becomes "# One", "## Two", "### Deep". Code blocks stay as they are.
// Arguments: { "folder": "notes" }

const { folder = "notes" } = args;

let headings = 0;
const chapters = (await aside.file.list({ folder })).data.entries.filter((entry: any) => /\.md$/.test(entry.path));
for (const { path } of chapters) {
  const { text, version } = await whole(path);
  const edits = fixed(text.split("\n"));
  if (edits.length === 0) continue;
  await aside.doc.edit({ path, base: version, edits });
  headings += edits.length;
}
return { chapters: chapters.length, headings };

/** The lines of headings at the wrong level, with those that take their place. */
function fixed(lines: string[]) {
  const edits: { start: number; end: number; old: string; new: string }[] = [];
  let fence = "";
  let begun = false;
  let frontMatter = lines[0] === "---";
  const open: { was: number; is: number }[] = [];
  lines.forEach((old, at) => {
    if (frontMatter) {
      frontMatter = at === 0 || old !== "---";
      return;
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(old)?.[1] ?? "";
    if (mark !== "" && (fence === "" || mark.startsWith(fence))) fence = fence === "" ? mark : "";
    const found = fence === "" ? /^(#{1,6})(\s+.*)$/.exec(old) : null;
    if (!found) return;
    const was = found[1].length;
    while (open.length > 0 && open[open.length - 1].was >= was) open.pop();
    const is = begun ? Math.max(2, (open.at(-1)?.is ?? 1) + 1) : 1;
    // The title is above all that follows, whatever its level was.
    if (begun) open.push({ was, is });
    begun = true;
    if (is !== was) edits.push({ start: at + 1, end: at + 1, old, new: "#".repeat(is) + found[2] });
  });
  return edits;
}

/** All lines of a file, in one version. */
async function whole(path: string): Promise<{ text: string; version: string }> {
  let { text, version, end, lines } = (await aside.doc.read({ path })).data;
  while (end < lines) {
    const more = (await aside.doc.read({ path, start: end + 1, base: version })).data;
    if (more.version !== version) throw new Error(`${path} has changed meanwhile: run the script again`);
    text += more.text;
    end = more.end;
  }
  return { text, version };
}
