//! The file of the index, in Aside's own folder. It can be deleted at any time: it is made again from the files.
#![expect(clippy::disallowed_methods, reason = "Aside's own folder, which no path of a workspace leads to")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use aside_search::{Index, SearchError};
use aside_workspace::PRIVATE_FOLDER;

/// The file and those that SQLite puts beside it.
const NAMES: [&str; 4] = ["search.db", "search.db-wal", "search.db-shm", "search.db-journal"];

fn place(workspace: &Path, name: &str) -> PathBuf {
    workspace.join(PRIVATE_FOLDER).join(name)
}

/// Opens the index. A file that is torn or of another version is thrown away, and an empty index is made.
pub(crate) fn open(workspace: &Path) -> Result<Index, SearchError> {
    match Index::open(&place(workspace, NAMES[0])) {
        Ok(index) => Ok(index),
        Err(error) if error.is_full() => Err(error),
        Err(error) => {
            tracing::warn!(%error, "the search index can't be read; it is made again");
            throw_away(workspace);
            Index::open(&place(workspace, NAMES[0]))
        }
    }
}

/// Deletes the file. The index must be closed.
pub(crate) fn throw_away(workspace: &Path) {
    for name in NAMES {
        // Most of them are not there.
        let _ = fs::remove_file(place(workspace, name));
    }
}
