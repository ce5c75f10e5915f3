//! A note as it is now: of its live document if that is open, else of its file.

use std::sync::Arc;

use aside_core::{Failure, Version, WorkspacePath};
use aside_doc::TextShape;
use aside_notes::{Flavour, Note, is_note};
use aside_workspace::View;

/// A note that was read.
pub(crate) struct NoteText {
    /// Where it really is.
    pub path: WorkspacePath,
    pub text: Arc<str>,
    pub shape: TextShape,
    pub version: Version,
    pub note: Note,
}

/// Reads a note.
pub(crate) fn read(view: &View<'_>, path: &WorkspacePath) -> Result<NoteText, Failure> {
    if !is_note(path) {
        let failure = Failure::new("not_a_note", format!("`{path}` is no note: its name does not end in `.md`"));
        return Err(failure.hint("`doc.edit` changes other texts"));
    }
    let (path, text, shape) = view.peek_text(path)?;
    let note = parsed(view, &path, &text);
    Ok(NoteText { version: Version::of(text.as_bytes()), path, text, shape, note })
}

/// Parses a text as the note of a path.
pub(crate) fn parsed(view: &View<'_>, path: &WorkspacePath, text: &str) -> Note {
    aside_notes::parse_text(path, text, flavour(view, path))
}

/// The program whose rules hold there: that of a folder above with `logseq/config.edn`.
fn flavour(view: &View<'_>, path: &WorkspacePath) -> Flavour {
    let folders = std::iter::successors(path.parent(), WorkspacePath::parent);
    let has_graph = |folder: Option<WorkspacePath>| {
        let config =
            folder.map_or_else(|| "logseq/config.edn".to_owned(), |folder| format!("{folder}/logseq/config.edn"));
        WorkspacePath::new(&config).is_ok_and(|config| view.is_file(&config))
    };
    let above = folders.map(Some).chain([None]);
    if above.into_iter().any(has_graph) { Flavour::Logseq } else { Flavour::Markdown }
}
