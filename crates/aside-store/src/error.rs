//! What can go wrong with the store, said so that a person knows what to do.

use std::{io, path::PathBuf};

use aside_core::{Failure, Sha256};
use rusqlite::ErrorCode;

/// Why the store could not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file or folder of the store can't be read or written.
    #[error("cannot {doing} `{}`: {source}", path.display())]
    Io {
        /// The verb.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is not a database, or parts of it are unreadable.
    #[error("the database `{}` is damaged: {detail}", path.display())]
    Damaged {
        /// The database file.
        path: PathBuf,
        /// What SQLite says.
        detail: String,
    },
    /// The file was written by a later version of the program.
    #[error("the database `{}` has format {found}; this version of Aside knows formats up to {known}", path.display())]
    Newer {
        /// The database file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The latest format this program knows.
        known: i64,
    },
    /// SQLite could not open the file.
    #[error("cannot open the database `{}`: {detail}", path.display())]
    Unopened {
        /// The database file.
        path: PathBuf,
        /// What SQLite says.
        detail: String,
    },
    /// A stored value does not have the expected form.
    #[error("stored {what} can't be read: {detail}")]
    Unreadable {
        /// Kind and id.
        what: String,
        /// Why.
        detail: String,
    },
    /// A blob's file does not hold what its name says.
    #[error("blob {0} is damaged: its bytes have another hash")]
    DamagedBlob(Sha256),
    /// Something was to be written after the end.
    #[error("this workspace is closed: nothing can be written")]
    AtRest,
    /// SQLite refused, most often because the disk is full or another program holds the file.
    #[error("the database failed: {0}")]
    Database(#[from] rusqlite::Error),
}

const DAMAGED: &str = "move `aside.db` (and `aside.db-wal`, `aside.db-shm`, `aside.journal`) out of the `.aside` \
    folder and start again: your files are untouched, threads and undo history start empty; `sqlite3 aside.db \
    .recover` may restore the old ones";

/// Tells whether the file itself is unreadable, not merely busy or out of space.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
}

impl StoreError {
    /// Returns what to try, if there is something.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Damaged { .. } => DAMAGED,
            Self::Database(error) if is_damage(error) => DAMAGED,
            Self::Newer { .. } => "use the newer version of Aside, or move the `.aside` folder away to start empty",
            Self::Io { .. } => "check the folder's permissions and the free space on the disk",
            Self::Database(_) | Self::Unopened { .. } => {
                "check the free space on the disk, and that no other program holds the file"
            }
            Self::Unreadable { .. } | Self::DamagedBlob(_) | Self::AtRest => return None,
        })
    }

    /// Returns the error as a value for people, models and programs; the code is `store`.
    pub fn failure(&self) -> Failure {
        let failure = Failure::new("store", self.to_string());
        match self.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }

    pub(crate) fn unreadable(what: impl Into<String>, error: impl ToString) -> Self {
        Self::Unreadable { what: what.into(), detail: error.to_string() }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        error.failure()
    }
}
