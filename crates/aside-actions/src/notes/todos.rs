//! The shared parts of the actions on todos: the arguments that name a todo, and the row that shows its line.

use std::str::FromStr;

use aside_core::{Failure, NoteRow, WorkspacePath};
use aside_notes::{Todo, TodoDate, TodoHandle, find_todo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Planning, part, row};

/// A todo by its handle, as `todo.list` returns it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TodoArgs {
    /// The note, relative to the workspace.
    pub path: WorkspacePath,
    /// Its line, from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// Its text, without dates and other signs.
    pub text: String,
}

impl FromStr for TodoArgs {
    type Err = Failure;

    /// Reads a handle in one line: `notes/plan.md:12 Calibrate the sensor`.
    fn from_str(text: &str) -> Result<Self, Failure> {
        let read = text.match_indices(':').find_map(|(at, _)| {
            let (line, words) = text[at + 1..].split_once(' ')?;
            Some(Self { path: text[..at].parse().ok()?, line: line.parse().ok()?, text: words.to_owned() })
        });
        read.ok_or_else(|| {
            let failure = Failure::new("invalid_args", format!("`{text}` is no todo"));
            failure.hint("name it by its note, line and text: `notes/plan.md:12 Calibrate the sensor`")
        })
    }
}

impl TodoArgs {
    /// Returns the todo as its note has it now.
    pub(crate) fn find(
        &self,
        planning: &mut Planning<'_>,
    ) -> Result<(WorkspacePath, std::sync::Arc<str>, Todo), Failure> {
        let note = planning.note(&self.path)?;
        let handle = TodoHandle { line: self.line, text: self.text.clone() };
        let todo = find_todo(&note.note, &handle).map_err(|refused| refused.failure())?.clone();
        Ok((note.path.clone(), note.text.clone(), todo))
    }
}

/// Returns the row of a todo: its line before and after.
pub(crate) fn todo_row(
    at: usize,
    path: &WorkspacePath,
    line: u32,
    before: Option<&str>,
    after: Option<&str>,
) -> NoteRow {
    let trimmed = |lines: Option<&str>| lines.map(|lines| lines.trim().to_owned());
    let (before, after) = (trimmed(before), trimmed(after));
    NoteRow { line: Some(line), ..row(part(at), path, "todo", before.as_deref(), after.as_deref()) }
}

/// Returns the lines of a todo after some edits of its note.
pub(crate) fn lines_after(text: &str, todo: &Todo, edits: &[aside_notes::ByteEdit]) -> Result<String, Failure> {
    let start = text[..todo.range.start].rfind('\n').map_or(0, |at| at + 1);
    let own: Vec<_> = edits
        .iter()
        .cloned()
        .map(|mut edit| {
            edit.range = edit.range.start - start..edit.range.end - start;
            edit
        })
        .collect();
    let end = edits.iter().map(|edit| edit.range.end).chain([todo.lines.end]).max().unwrap_or(todo.lines.end);
    aside_notes::edited(&text[start..end], &own).map_err(|refused| refused.failure())
}

/// Reads a date as arguments write it.
pub(crate) fn date(text: &str) -> Result<TodoDate, Failure> {
    text.trim().parse().map_err(|problem: &str| Failure::new("invalid_args", format!("`{text}` is no date: {problem}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handle_in_one_line_is_read() {
        let read = |text: &str| text.parse::<TodoArgs>().map(|todo| (todo.path.to_string(), todo.line, todo.text));
        assert_eq!(read("a b.md:12 At 9:30 call Ana").unwrap(), ("a b.md".into(), 12, "At 9:30 call Ana".into()));
        assert_eq!(read("a 9: b.md:3 x").unwrap(), ("a 9: b.md".into(), 3, "x".into()));
        for wrong in ["", "a.md", "a.md:x y", "a.md:3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
