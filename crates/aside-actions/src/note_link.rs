//! `note.link`: writes a link to another note into a note.

use aside_core::{EffectScope, Failure, NoteRow, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::Declaration;
use aside_notes::{LinkPlace, link_to};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::notes::{NoteChange, Planning, read, row};

/// Arguments of `note.link`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The note that gets the link, relative to the workspace.
    from: WorkspacePath,
    /// The note that the link leads to.
    to: WorkspacePath,
    /// The line, from 1. Default: a paragraph of its own at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    line: Option<u32>,
    /// The words that become the link. Default: the link is put at the end of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    words: Option<String>,
}

impl NoteChange for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "note.link",
            summary: "Link a note to another note",
            description: "Writes `[[name]]` into a note: over some words, at the end of a line, or in a paragraph of its \
                own at the end. The name is the shortest that means the other note.",
            preconditions: &["both notes exist"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Link two notes", json!({"from": "README.md", "to": "notes/plan.md"}))],
            phrases: &["link the note to another note", "add a link to the note"],
            tags: &["note", "link", "wiki link", "backlink"],
            safety: &["The card shows the line before and after."],
        }
    }

    fn count(&self) -> usize {
        1
    }

    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        let target = read(planning.view, &self.to)?.path;
        let name = planning.notes().link_target(&self.from, &target);
        let place = LinkPlace { line: self.line, words: self.words.clone() };
        let note = planning.note(&self.from)?;
        let edit = link_to(&note.text, &note.note, &name, &place).map_err(|refused| refused.failure())?;
        let (text, path) = (note.text.clone(), note.path.clone());
        let start = text[..edit.range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[edit.range.end..].find('\n').map_or(text.len(), |at| edit.range.end + at);
        let after = format!("{}{}{}", &text[start..edit.range.start], edit.new, &text[edit.range.end..end]);
        let line = u32::try_from(text[..start].matches('\n').count() + 1).ok();
        let before = Some(&text[start..end]).filter(|before| !before.is_empty());
        planning.row(NoteRow { line, ..row(0, &path, "link", before, Some(after.trim_start_matches('\n'))) });
        planning.outcome(0, &path, &format!("linked to {target} as [[{name}]]"));
        planning.edit(&path, vec![edit])
    }

    fn only(&self, _preview: &Preview, _parts: &[u32]) -> Self {
        self.clone()
    }

    fn summary(&self) -> String {
        format!("Link {} to {}", self.from, self.to)
    }
}
