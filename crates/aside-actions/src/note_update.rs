//! `note.update`: another body, title or set of tags for notes. The rest of their front matter stays.

use aside_core::{EffectScope, Failure, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::Declaration;
use aside_notes::{replace_body, set_tags, set_title};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    files::counted,
    notes::{NoteChange, Planning, kept, part, row},
};

/// Arguments of `note.update`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notes.
    #[schemars(length(min = 1))]
    notes: Vec<NoteArgs>,
}

/// A note and its new values. An absent field stays.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteArgs {
    /// The note, relative to the workspace.
    path: WorkspacePath,
    /// The new title, where the title stands: in the front matter or as the first heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The whole new body, without the front matter, which stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// All tags of the front matter. Tags in the text stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<String>>,
}

impl NoteChange for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "note.update",
            summary: "Update notes",
            description: "Replaces the body, the title or the tags of notes. `text` is the whole body; the front matter \
                stays. For some lines of a note, use `note.edit`; to add a tag, `note.tag`.",
            preconditions: &["the notes exist and are UTF-8 text"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Give a note another body",
                json!({"notes": [{"path": "README.md", "text": "# Tides\n\nMeasured at the pier.\n"}]}),
            )],
            phrases: &["update the note", "rewrite this note", "change the title of a note"],
            tags: &["note", "title", "tags", "text", "replace"],
            safety: &["The card shows old and new values.", "Undo keeps later changes."],
        }
    }

    fn count(&self) -> usize {
        self.notes.len()
    }

    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        for (at, wanted) in self.notes.iter().enumerate() {
            let mut changed = Vec::new();
            let note = planning.note(&wanted.path)?;
            let path = note.path.clone();
            let (body, title, tags) = shown(note);
            if let Some(text) = &wanted.text {
                let edits = replace_body(&note.text, &note.note, &aside_doc::to_lf(text));
                planning.edit(&path, edits.map_err(|refused| refused.failure())?)?;
                planning.settle(&path)?;
            }
            if let Some(title) = &wanted.title {
                let note = planning.note(&path)?;
                let edits = set_title(&note.text, &note.note, title).map_err(|refused| refused.failure())?;
                planning.edit(&path, edits)?;
                planning.settle(&path)?;
            }
            if let Some(tags) = &wanted.tags {
                let note = planning.note(&path)?;
                let tagged = set_tags(&note.text, &note.note, tags).map_err(|refused| refused.failure())?;
                planning.edit(&path, tagged.edits)?;
                planning.settle(&path)?;
            }
            let (new_body, new_title, new_tags) = shown(planning.note(&path)?);
            for (field, before, after) in
                [("title", title, new_title), ("tags", tags, new_tags), ("text", body, new_body)]
            {
                if before != after {
                    planning.row(row(part(at), &path, field, Some(&before), Some(&after)));
                    changed.push(field);
                }
            }
            let words =
                if changed.is_empty() { "unchanged".to_owned() } else { format!("updated {}", changed.join(", ")) };
            planning.outcome(part(at), &path, &words);
        }
        Ok(())
    }

    fn only(&self, _preview: &Preview, parts: &[u32]) -> Self {
        Self { notes: kept(&self.notes, parts) }
    }

    fn summary(&self) -> String {
        format!("Update {}", counted(self.notes.len(), "note"))
    }
}

/// Body, title and tags of the front matter.
fn shown(read: &crate::notes::NoteText) -> (String, String, String) {
    let tags = read.note.tags.iter().filter(|tag| tag.in_front_matter).map(|tag| tag.name.as_str());
    (read.text[read.note.body..].to_owned(), read.note.title.clone(), tags.collect::<Vec<_>>().join(", "))
}
