//! Conversations in which the Navigator writes a script.

use aside_core::ReviewMode::ReviewEach;
use serde_json::json;

use super::{
    MODEL_PY, Scene, THREE_FILES, check,
    model::{Answer, calls, says},
    runner::Act::{self, ApproveClass, Reject, Say, UndoTask},
    scene,
};

const RENAME: &str = "// Renames ht in all files
const paths = (await aside.file.list({})).data.entries.map((entry) => entry.path).filter((path) => path.includes('.'));
const lines = new Map();
for (const path of paths) {
  const line = (await aside.file.read({ path })).data.text.split('\\n').find((line) => line.includes('`ht`'));
  if (line) lines.set(path, line);
}
for (const [path, old] of lines) await aside.doc.edit({ path, edits: [{ old, new: old.replace('`ht`', '`height`') }] });
return [...lines.keys()];";

fn runs(dry_run: bool) -> Answer {
    calls("action_run", json!({"action_type": "script.run", "args": {"source": RENAME, "dry_run": dry_run}}))
}

fn looks_up() -> Answer {
    calls("catalog_search", json!({"query": "run a typescript script", "limit": 1}))
}

const FILES: &[(&str, &str)] = &[THREE_FILES[2], ("more.md", "`ht` is in hours.\n"), ("model.py", MODEL_PY)];

fn with_script<'a>(last: &str, acts: &'a [Act<'a>]) -> Scene<'a> {
    let answers = vec![looks_up(), runs(true), runs(false), says(last)];
    Scene { files: FILES, navigator: true, ..scene(ReviewEach, answers, acts) }
}

#[test]
fn script_shows_its_changes_then_makes_them() {
    let acts = [Say("rename `ht` in all notes"), ApproveClass, UndoTask];
    check("script", with_script("Renamed in two notes.", &acts));
}

#[test]
fn rejected_call_fails_the_script() {
    check("script_rejected", with_script("Then I leave it.", &[Say("rename `ht` in all notes"), Reject("not now")]));
}
