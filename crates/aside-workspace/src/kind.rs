//! What kind of file something is, by its name and its first bytes.

use std::io::Read as _;

use aside_core::{FileEditor, FileKind, WorkspacePath};

use crate::{ConfinedPath, MOST_TEXT, Workspace, WorkspaceError};

/// Bytes of a file that are looked at.
const HEAD: usize = 4 * 1024;

/// Bytes of a notebook that is opened, most of which are what its cells have put out.
const MOST_NOTEBOOK: u64 = 128 * 1024 * 1024;

impl Workspace {
    /// Returns the kind of a file; of one that can't be read what its name says.
    pub fn file_kind(&self, path: &WorkspacePath) -> Option<FileKind> {
        if let Some(document) = self.open_document(path) {
            let text = document.text();
            return Some(FileKind::of_file(path.name(), &text.as_bytes()[..text.len().min(HEAD)]));
        }
        let head = self.root.resolve(path).and_then(|place| head(&place));
        head.map_or_else(|_| FileKind::of_name(path.name()), |head| Some(FileKind::of_file(path.name(), &head)))
    }
}

/// Tells whether a file is to be live as a notebook, if it can be read as one.
pub(crate) fn is_notebook(path: &WorkspacePath) -> bool {
    FileKind::of_name(path.name()).is_some_and(|kind| kind.facts().editor == FileEditor::Notebook)
}

/// Bytes of a file that is opened.
pub(crate) fn most_of(path: &WorkspacePath) -> u64 {
    if is_notebook(path) { MOST_NOTEBOOK } else { MOST_TEXT }
}

fn head(place: &ConfinedPath) -> Result<Vec<u8>, WorkspaceError> {
    let (file, _) = place.open_file()?;
    let mut bytes = Vec::with_capacity(HEAD);
    file.take(HEAD as u64).read_to_end(&mut bytes).map_err(|error| place.io("read", error))?;
    Ok(bytes)
}
