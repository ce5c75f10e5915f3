//! What kind of file something is, by its name and its first bytes.

use std::io::Read as _;

use aside_core::{FileKind, WorkspacePath};

use crate::{ConfinedPath, Workspace, WorkspaceError};

/// Bytes of a file that are looked at.
const HEAD: usize = 4 * 1024;

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

fn head(place: &ConfinedPath) -> Result<Vec<u8>, WorkspaceError> {
    let (file, _) = place.open_file()?;
    let mut bytes = Vec::with_capacity(HEAD);
    file.take(HEAD as u64).read_to_end(&mut bytes).map_err(|error| place.io("read", error))?;
    Ok(bytes)
}
