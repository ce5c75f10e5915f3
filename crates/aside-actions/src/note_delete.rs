//! `note.delete`: deletes notes. Links to them stay as they are.

use aside_core::{EffectScope, Failure, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::Declaration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    files::counted,
    notes::{NoteChange, NoteStep, Planning, kept, part, row},
};

/// Arguments of `note.delete`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notes.
    #[schemars(length(min = 1))]
    notes: Vec<NoteArgs>,
}

/// A note.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteArgs {
    /// The note, relative to the workspace.
    path: WorkspacePath,
}

impl NoteChange for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "note.delete",
            summary: "Delete notes",
            description: "Deletes notes. Links to them stay as they are and lead nowhere then. Undo brings the notes back.",
            preconditions: &["the notes exist"],
            effect: EffectScope::Workspace,
            risks: [Risk::Destructive].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Delete a note", json!({"notes": [{"path": "README.md"}]}))],
            phrases: &["delete the note", "remove these notes"],
            tags: &["note", "remove"],
            safety: &["Deleted notes are stored for undo."],
        }
    }

    fn count(&self) -> usize {
        self.notes.len()
    }

    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        for (at, NoteArgs { path }) in self.notes.iter().enumerate() {
            let note = crate::notes::read(planning.view, path)?;
            let words = format!("{} ({})", note.note.title, counted(note.text.lines().count(), "line"));
            planning.row(row(part(at), path, "note", Some(&words), None));
            planning.outcome(part(at), path, "deleted");
            planning.step(NoteStep::Delete { path: path.clone(), tidy: None, expected: None });
        }
        Ok(())
    }

    fn only(&self, _preview: &Preview, parts: &[u32]) -> Self {
        Self { notes: kept(&self.notes, parts) }
    }

    fn summary(&self) -> String {
        format!("Delete {}", counted(self.notes.len(), "note"))
    }
}
