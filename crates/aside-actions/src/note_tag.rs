//! `note.tag`: tags in the front matter of notes, or one tag with another name wherever it stands in a front matter.

use std::sync::Arc;

use aside_core::{EffectScope, Failure, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::Declaration;
use aside_notes::{Note, Tagged, Vault, change_tags, folded, rename_tag};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    files::counted,
    notes::{NoteChange, NoteText, Planning, kept, part, row},
};

/// Arguments of `note.tag`: either `notes` or `rename`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notes, with their new and former tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<TagArgs>,
    /// A tag that gets another name in all notes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rename: Option<Rename>,
}

/// A note and its tags.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TagArgs {
    /// The note, relative to the workspace.
    path: WorkspacePath,
    /// Tags to add, without `#`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    add: Vec<String>,
    /// Tags to remove.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remove: Vec<String>,
}

/// Another name for a tag.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    /// The tag.
    from: String,
    /// Its new name.
    to: String,
    /// Only in these notes. Default: in all that have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    only: Option<Vec<WorkspacePath>>,
}

impl NoteChange for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "note.tag",
            summary: "Change tags of notes",
            description: "Adds tags to the front matter of notes and removes others, or renames one tag in all notes. \
                Only the value of `tags` changes, in its own form. A tag in the text stays there, and the answer \
                names its line.",
            preconditions: &["the front matter of the notes can be read"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Add a tag", json!({"notes": [{"path": "README.md", "add": ["tides"]}]})),
                ("Rename a tag", json!({"rename": {"from": "tide", "to": "tides"}})),
            ],
            phrases: &["tag the note", "remove the tag", "rename the tag in all notes"],
            tags: &["note", "tags", "front matter", "label"],
            safety: &["The card shows old and new tags."],
        }
    }

    fn count(&self) -> usize {
        if self.rename.is_some() { 1 } else { self.notes.len() }
    }

    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        match &self.rename {
            Some(_) if !self.notes.is_empty() => {
                Err(Failure::new("invalid_args", "give either `notes` or `rename`, not both"))
            }
            Some(rename) => rename.plan(planning),
            None => self.notes.iter().enumerate().try_for_each(|(at, note)| {
                let read = planning.note(&note.path)?;
                let tagged = change_tags(&read.text, &read.note, &note.add, &note.remove);
                show(planning, at, &note.path, tagged.map_err(|refused| refused.failure())?)
            }),
        }
    }

    fn only(&self, preview: &Preview, parts: &[u32]) -> Self {
        let Some(rename) = &self.rename else { return Self { notes: kept(&self.notes, parts), rename: None } };
        let aside_core::PreviewBody::Rows { rows } = &preview.body else { return self.clone() };
        let only = rows.iter().filter(|row| parts.contains(&row.part)).map(|row| row.path.clone()).collect();
        Self { notes: Vec::new(), rename: Some(Rename { only: Some(only), ..rename.clone() }) }
    }

    fn summary(&self) -> String {
        match &self.rename {
            Some(Rename { from, to, .. }) => format!("Rename the tag {from} to {to}"),
            None => format!("Change the tags of {}", counted(self.notes.len(), "note")),
        }
    }
}

impl Rename {
    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        let mut paths = match &self.only {
            Some(paths) => paths.clone(),
            None => tagged(planning.notes(), &self.from),
        };
        paths.sort();
        let mut at = 0;
        for path in paths {
            let read = planning.note(&path)?;
            let tagged = rename_tag(&read.text, &read.note, &self.from, &self.to);
            let tagged = tagged.map_err(|refused| refused.failure())?;
            if self.only.is_none() && tagged.edits.is_empty() && tagged.in_text.is_empty() {
                continue;
            }
            show(planning, at, &path, tagged)?;
            at += 1;
        }
        match at {
            0 => Err(Failure::new("not_found", format!("no note has the tag `{}`", self.from))),
            _ => Ok(()),
        }
    }
}

fn show(planning: &mut Planning<'_>, at: usize, path: &WorkspacePath, tagged: Tagged) -> Result<(), Failure> {
    let before = tags_of(planning.note(path)?);
    let changes = !tagged.edits.is_empty();
    planning.edit(path, tagged.edits)?;
    planning.settle(path)?;
    let after = tags_of(planning.note(path)?);
    let lines: Vec<String> = tagged.in_text.iter().map(|(tag, line)| format!("#{tag} at line {line}")).collect();
    let note = (!lines.is_empty()).then(|| format!("stays in the text: {}", lines.join(", ")));
    let done = if changes { format!("tags: {after}") } else { "unchanged".to_owned() };
    let words = note.as_ref().map_or(done.clone(), |note| format!("{done}; {note}"));
    let shown = row(part(at), path, "tags", Some(&before), Some(&after));
    planning.row(aside_core::NoteRow { note, ..shown });
    planning.outcome(part(at), path, &words);
    Ok(())
}

/// The notes that have a tag, also only in their text.
fn tagged(vault: &Vault, tag: &str) -> Vec<WorkspacePath> {
    let key = folded(tag.trim().trim_start_matches('#'));
    let has_it = |note: &&Arc<Note>| note.tags.iter().any(|tag| tag.key == key);
    vault.notes().filter(has_it).map(|note| note.path.clone()).collect()
}

fn tags_of(read: &NoteText) -> String {
    let tags = read.note.tags.iter().filter(|tag| tag.in_front_matter).map(|tag| tag.name.as_str());
    tags.collect::<Vec<_>>().join(", ")
}
