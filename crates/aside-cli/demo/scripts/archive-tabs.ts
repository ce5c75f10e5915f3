// Closes the tabs of files that you have not looked at for some days, and keeps a list of them in a note.
// Arguments: { "days": 7, "into": "notes/closed-tabs.md" }

const { days = 7, into = "notes/closed-tabs.md" } = args;
const before = Date.now() - days * 24 * 60 * 60 * 1000;

const { tabs, window } = (await aside.ui.tabs.list({})).data;
const old = tabs.filter((tab: any) => tab.kind !== "page" && tab.kind !== "task" && !tab.active && (tab.used ?? tab.mtime ?? Date.now()) < before);
if (old.length === 0) return "No tab is that old.";

const today = new Date().toISOString().slice(0, 10);
const items = old.map((tab: any) => `- [${tab.title}](/${tab.path.split("/").map(encodeURIComponent).join("/")})`).join("\n");
const section = `## ${today}\n\n${items}\n`;
try {
  await aside.note.create({ notes: [{ path: into, text: `# Closed tabs\n\n${section}` }] });
} catch (error) {
  if (error.code !== "exists") throw error;
  const { lines } = (await aside.doc.read({ path: into })).data;
  await aside.doc.edit({ path: into, edits: [{ start: lines + 1, old: "", new: `\n${section}` }] });
}
await aside.ui.tabs.close({ which: "tabs", tabs: old.map((tab: any) => tab.id), window });
return old.map((tab: any) => tab.path);
