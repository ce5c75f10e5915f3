// Makes the daily note of a day from the template, and moves the open todos of the latest daily note before it into it.
// Arguments: { "day": "2026-11-28", "folder": "daily", "template": "templates/Daily.md" }

const { day = new Date().toISOString().slice(0, 10), folder = "daily", template = "templates/Daily.md" } = args;
const path = `${folder}/${day}.md`;

let text = `# ${day}\n\n## Todos\n`;
try {
  const read = (await aside.file.read({ path: template })).data.text;
  text = read.replaceAll("{{title}}", day).replaceAll("{{date}}", day).replaceAll("{{time}}", "");
} catch (error) {
  if (error.code !== "not_found") throw error;
  console.log(`There is no ${template}: the note has a heading for todos only.`);
}
await aside.note.create({ notes: [{ path, text }] });

const before = await latestBefore(path);
if (before === null) return { path, from: null, todos: 0 };
const { todos } = (await aside.todo.list({ path: before, state: "open" })).data;
if (todos.length > 0) {
  const heading = /^#+\s+Todos\s*$/m.test(text) ? { heading: "Todos" } : {};
  const open = todos.map(({ path, line, text }: any) => ({ path, line, text }));
  await aside.todo.move({ todos: open, to: path, ...heading });
}
return { path, from: before, todos: todos.length };

/** The daily note of the latest day before a note; null if there is none. */
async function latestBefore(path: string): Promise<string | null> {
  const { entries } = (await aside.file.list({ folder })).data;
  const notes = entries.map((entry: any) => entry.path).filter((each: string) => /\/\d{4}-\d\d-\d\d\.md$/.test(each) && each < path);
  return notes.sort().at(-1) ?? null;
}
