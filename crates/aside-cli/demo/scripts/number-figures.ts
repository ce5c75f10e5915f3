// Renames the figures of a LaTeX document in the order in which they appear, "figures/plot.pdf" to "figures/fig-01-plot.pdf",
// and changes each \includegraphics that shows one.
// Arguments: { "document": "paper/paper.tex" }

const { document = "paper/paper.tex" } = args;
const base = document.includes("/") ? document.slice(0, document.lastIndexOf("/") + 1) : "";
const ENDINGS = ["", ".pdf", ".png", ".jpg", ".jpeg", ".eps", ".svg"];

const { text, version } = await whole(document);
const lines: string[] = text.split("\n");
const shows = /(\\includegraphics\s*(?:\[[^\]]*\])?\s*\{)([^{}]+)(\})/g;
const renamed = new Map<string, string>();
for (const line of lines) {
  for (const [, , name] of code(line).matchAll(shows)) {
    if (renamed.has(name)) continue;
    const slash = name.lastIndexOf("/") + 1;
    const plain = name.slice(slash).replace(/^fig-\d+-/, "");
    renamed.set(name, `${name.slice(0, slash)}fig-${String(renamed.size + 1).padStart(2, "0")}-${plain}`);
  }
}

const moved: { from: string; to: string }[] = [];
for (const [name, next] of [...renamed]) {
  const file = name === next ? null : await fileOf(base + name);
  if (file === null) {
    // A figure without a file, or with its name already, stays as it is written.
    renamed.set(name, name);
    continue;
  }
  const to = base + next + file.slice((base + name).length);
  await aside.file.move({ from: file, to });
  moved.push({ from: file, to });
}

const edits = lines.flatMap((old, at) => {
  const kept = code(old);
  const line = kept.replace(shows, (_, before, name, after) => before + (renamed.get(name) ?? name) + after) + old.slice(kept.length);
  return line === old ? [] : [{ start: at + 1, end: at + 1, old, new: line }];
});
if (edits.length > 0) await aside.doc.edit({ path: document, base: version, edits });
return moved;

/** A line without its comment. */
function code(line: string): string {
  return /^(?:[^%\\]|\\.)*/.exec(line)?.[0] ?? line;
}

/** The file that LaTeX finds under a name; null if there is none. */
async function fileOf(path: string): Promise<string | null> {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const { entries } = (await aside.file.list({ folder })).data;
  const there = new Set(entries.map((entry: any) => entry.path));
  const ending = ENDINGS.find((each) => there.has(path + each));
  return ending === undefined ? null : path + ending;
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
