// Collects the open todos of all notes into one note, by their notes, with a link to each. Run it again to bring the note up to date.
// Arguments: { "into": "notes/open-todos.md" }

const { into = "notes/open-todos.md" } = args;

const { todos } = (await aside.todo.list({ state: "open" })).data;
const byNote = new Map<string, any[]>();
for (const todo of todos.filter((todo: any) => todo.path !== into)) {
  byNote.set(todo.path, [...(byNote.get(todo.path) ?? []), todo]);
}

// Plain list items: as todos they would be found again the next time.
const sections = [...byNote].map(([path, found]) => {
  const items = found.map((todo) => `- ${todo.text}${todo.due ? ` (due ${todo.due})` : ""}`);
  return `## [[${path.replace(/\.md$/, "")}]]\n\n${items.join("\n")}\n`;
});
const text = `# Open todos\n\n${sections.join("\n") || "Nothing to do.\n"}`;

try {
  await aside.note.create({ notes: [{ path: into, text }] });
} catch (error) {
  if (error.code !== "exists") throw error;
  await aside.note.update({ notes: [{ path: into, text }] });
}
return { todos: [...byNote.values()].flat().length, notes: byNote.size };
