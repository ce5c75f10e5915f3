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
