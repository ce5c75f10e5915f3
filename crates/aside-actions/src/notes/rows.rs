//! Rows of the table that a person sees before a change of notes.

use aside_core::{NoteRow, WorkspacePath};

/// Characters of a value that is shown; the rest is counted.
const MOST_SHOWN: usize = 4_000;

/// Returns a row for a value of a note.
pub(crate) fn row(part: u32, path: &WorkspacePath, field: &str, before: Option<&str>, after: Option<&str>) -> NoteRow {
    let (before, after) = (before.map(shown), after.map(shown));
    NoteRow { part, path: path.clone(), line: None, field: field.to_owned(), before, after, note: None, problem: None }
}

/// A long value by its beginning, its length and its hash, so that a person's yes is to this value and no other.
fn shown(value: &str) -> String {
    let count = value.chars().count();
    if count <= MOST_SHOWN {
        return value.to_owned();
    }
    let head: String = value.chars().take(MOST_SHOWN).collect();
    let hash = aside_core::Sha256::of(value);
    format!("{head}\n… {} more characters (sha256 {})", count - MOST_SHOWN, hash.short())
}

/// Returns the number of a row's part.
pub(crate) fn part(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
