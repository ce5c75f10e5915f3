//! Errors of a search.

use aside_store::{StoreError, sql};

use crate::QueryError;

/// Why a search or a change of the index failed.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The index can't be opened. It can be deleted: it is made again from the files.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index can't be read or written.
    #[error("the search index can't be used: {0}")]
    Index(#[from] sql::Error),
    /// A filter's value is none.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// SQLite's codes for a damaged file, a full disk, and a file of another kind.
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const NOT_A_DATABASE: i32 = 26;

impl SearchError {
    /// The file can't be used any more: it has to be thrown away and made again.
    pub fn is_damaged(&self) -> bool {
        match self {
            Self::Store(StoreError::Damaged { .. } | StoreError::Newer { .. }) => true,
            _ => matches!(self.code(), Some(CORRUPT | NOT_A_DATABASE)),
        }
    }

    /// The disk is full.
    pub fn is_full(&self) -> bool {
        self.code() == Some(FULL)
    }

    /// SQLite's primary code, if it is SQLite that failed.
    fn code(&self) -> Option<i32> {
        let (Self::Index(error) | Self::Store(StoreError::Database(error))) = self else { return None };
        error.sqlite_error().map(|error| error.extended_code & 0xff)
    }
}
