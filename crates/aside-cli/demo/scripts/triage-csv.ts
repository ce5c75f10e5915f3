// Looks into all CSV files of a folder, moves those with problems into its folder "check", and writes a table about all of them.
// Arguments: { "folder": "data", "least_rows": 3 }

const { folder = "data", least_rows = 3 } = args;

const entries = (await aside.file.list({ folder })).data.entries.filter((entry: any) => /\.csv$/i.test(entry.path));
const rows: { file: string; rows: number; columns: number; problem: string }[] = [];
for (const { path } of entries) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const read = (await aside.file.read({ path })).data;
  const lines = read.binary ? [] : parsed(read.text);
  // Of a large file only its beginning is read, whose last line may be cut.
  if (read.cut) lines.pop();
  const columns = lines[0]?.length ?? 0;
  const problem = problemOf(lines, columns, read);
  rows.push({ file: name, rows: Math.max(0, lines.length - 1), columns, problem });
  if (problem !== "") await aside.file.move({ from: path, to: `${folder}/check/${name}` });
}

const cell = (text: string | number) => String(text).replace(/\|/g, "\\|");
const table = rows.map((row) => `| ${cell(row.file)} | ${row.rows} | ${row.columns} | ${cell(row.problem || "–")} |`);
const text = `# CSV files in ${folder}\n\n| File | Rows | Columns | Problem |\n|---|---:|---:|---|\n${table.join("\n")}\n`;
const report = `${folder}/triage.md`;
try {
  await aside.note.create({ notes: [{ path: report, text }] });
} catch (error) {
  if (error.code !== "exists") throw error;
  await aside.note.update({ notes: [{ path: report, text }] });
}
return rows;

function problemOf(lines: string[][], columns: number, read: any): string {
  if (read.binary) return "not a text";
  if (lines.length === 0) return "empty";
  const uneven = lines.findIndex((line) => line.length !== columns);
  if (uneven >= 0) return `line ${uneven + 1} has ${lines[uneven].length} columns, the head has ${columns}`;
  if (!read.cut && lines.length - 1 < least_rows) return `only ${lines.length - 1} rows`;
  const missing = lines.slice(1).flat().filter((field) => field.trim() === "").length;
  return missing > 0 ? `${missing} missing values` : "";
}

/** The fields of each line; quotes may enclose commas and line ends. */
function parsed(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let field = "";
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted && letter === '"' && text[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (letter === '"') quoted = !quoted;
    else if (!quoted && (letter === "," || letter === "\n")) {
      line.push(field.replace(/\r$/, ""));
      field = "";
      if (letter === "\n") lines.push(line.splice(0));
    } else field += letter;
  }
  if (field !== "" || line.length > 0) lines.push([...line, field.replace(/\r$/, "")]);
  return lines.filter((fields) => fields.length > 1 || fields[0].trim() !== "");
}
