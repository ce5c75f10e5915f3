//! Errors of the index.

use aside_core::Failure;
use aside_search::{QueryError, SearchError};

/// The reason for which a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// A filter of the query has no sensible value.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A regular expression of the query is wrong.
    #[error("{0}")]
    Expression(String),
    /// The files can't be read.
    #[error("cannot search: {0}")]
    Files(String),
    /// The index file can't be used now.
    #[error("cannot search: {0}")]
    Index(#[from] SearchError),
    /// The index file can't be made.
    #[error("cannot search: the index can't be opened ({0})")]
    Closed(String),
    /// The workspace is being closed.
    #[error("cannot search: the workspace is being closed")]
    Ended,
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Query(error) => Self::new("invalid_args", error.to_string()),
            IndexError::Expression(_) => Self::new("invalid_args", error.to_string())
                .hint("put a text between quotes to find it as it stands there"),
            IndexError::Files(_) => Self::new("io", error.to_string()),
            IndexError::Ended => Self::new("shutting_down", error.to_string()),
            IndexError::Index(_) | IndexError::Closed(_) => Self::new("io", error.to_string())
                .hint("free some disk space, or delete `.aside/search.db`: the index is made again from the files"),
        }
    }
}
