// Runs notebooks from the top to the end, one after the other, and writes a table of their last outputs.
// A notebook that fails does not stop the others.
// Arguments: { "notebooks": ["analysis.ipynb"], "into": "results.md" }

const { notebooks = ["analysis.ipynb"], into = "results.md" } = args;

const states: string[] = [];
for (const path of notebooks) {
  try {
    const { data } = await aside.notebook.run({ path });
    // A dry run runs nothing.
    states.push(data?.cells === undefined ? "not run yet" : data.failed ? "failed" : "done");
  } catch (error) {
    if (error.code === "rejected") throw error;
    states.push(`not run: ${error.message}`);
  }
}
const rows: { notebook: string; state: string; last: string }[] = [];
for (const [at, path] of notebooks.entries()) rows.push({ notebook: path, state: states[at], last: await lastOutput(path) });

const cell = (text: string) => text.replace(/\|/g, "\\|").replace(/\s*\n\s*/g, " ");
const lines = rows.map((row) => `| ${cell(row.notebook)} | ${cell(row.state)} | ${cell(row.last)} |`);
const text = `# Results\n\n| Notebook | State | Last output |\n|---|---|---|\n${lines.join("\n")}\n`;
try {
  await aside.note.create({ notes: [{ path: into, text }] });
} catch (error) {
  if (error.code !== "exists") throw error;
  await aside.note.update({ notes: [{ path: into, text }] });
}
return rows;

/** The last line of the last output in a notebook; empty if there is none. */
async function lastOutput(path: string): Promise<string> {
  const { cells } = (await aside.notebook.read({ path, from: 1, to: 1 })).data;
  for (let place = cells; place >= 1; place -= 1) {
    const [shown] = (await aside.notebook.read({ path, from: place, to: place })).data.shown;
    const output = shown?.outputs?.at(-1);
    // Of a traceback the last line says what went wrong.
    if (output) return (output.text ?? output.title).trim().split("\n").at(-1);
  }
  return "";
}
