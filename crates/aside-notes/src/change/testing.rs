//! Small notes for the tests of changes.

use aside_core::WorkspacePath;

use super::{ByteEdit, edited};
use crate::{Flavour, Note, parse_text};

/// Parses a text as `note.md`.
pub(super) fn note(text: &str) -> Note {
    parse_text(&path("note.md"), text, Flavour::Markdown)
}

/// Parses a text as a page of a Logseq graph.
pub(super) fn page(text: &str) -> Note {
    parse_text(&path("note.md"), text, Flavour::Logseq)
}

pub(super) fn path(text: &str) -> WorkspacePath {
    WorkspacePath::new(text).unwrap()
}

/// Makes edits, and checks that they say which bytes change.
pub(super) fn made(text: &str, edits: &[ByteEdit]) -> String {
    edited(text, edits).unwrap()
}
