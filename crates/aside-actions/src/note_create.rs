//! `note.create`: new notes, each with a title or path, a text and tags.

use aside_core::{EffectScope, Failure, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::Declaration;
use aside_notes::{NewNote, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    files::counted,
    notes::{NoteChange, NoteStep, Planning, kept, part, row},
};

/// Arguments of `note.create`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<NewNoteArgs>,
    /// The title of one note, in place of `notes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
}

/// A new note: with a path, or with a title of which the path is made.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewNoteArgs {
    /// The path, relative to the workspace. Missing folders are created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<WorkspacePath>,
    /// The title. Without a path, the note is `folder/Title.md`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The folder of a note without a path. Default: the top of the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folder: Option<WorkspacePath>,
    /// The text, in Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The tags, without `#`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
}

impl Args {
    fn all(&self) -> Vec<NewNoteArgs> {
        let single = self.title.clone().map(|title| NewNoteArgs {
            title: Some(title),
            path: None,
            folder: None,
            text: None,
            tags: Vec::new(),
        });
        self.notes.iter().cloned().chain(single).collect()
    }
}

impl NoteChange for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "note.create",
            summary: "Create notes",
            description: "Creates Markdown notes. Give a `path`, or a `title` of which the path is made. Tags become a \
                front matter. Fails if a path exists: `note.update` and `note.edit` change a note.",
            preconditions: &["nothing exists at the paths"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Create a note with a tag",
                json!({"notes": [{"title": "Field trip", "folder": "Trips", "text": "Bring boots.\n", "tags": ["trip"]}]}),
            )],
            phrases: &[
                "create a note",
                "new note",
                "write this down in a note",
                "(create|make|add|start|new) [a|an] [new] note (about|called|named|titled|with the title) {title:text}",
            ],
            tags: &["note", "markdown", "new", "write", "title"],
            safety: &["The card shows the whole text."],
        }
    }

    fn count(&self) -> usize {
        self.all().len()
    }

    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        for (at, new) in self.all().into_iter().enumerate() {
            let NewNoteArgs { path, title, folder, text, tags } = new;
            let text = text.map(|text| aside_doc::to_lf(&text));
            let new = NewNote { path, title, folder, text, tags };
            let started = start(&new).map_err(|refused| refused.failure())?;
            planning.row(row(part(at), &started.path, "note", None, Some(&started.text)));
            planning.outcome(part(at), &started.path, "created");
            planning.step(NoteStep::Create { path: started.path, text: started.text });
        }
        Ok(())
    }

    fn only(&self, _preview: &Preview, parts: &[u32]) -> Self {
        Self { notes: kept(&self.all(), parts), title: None }
    }

    fn summary(&self) -> String {
        format!("Create {}", counted(self.count(), "note"))
    }
}
