//! Errors of the index.

use aside_core::Failure;
use aside_search::{QueryError, SearchError};

/// The reason for which a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// A filter of the query has no sensible value.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A regular expression, which the index can't answer.
    #[error("search finds words and phrases, no regular expressions")]
    Expression,
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
            IndexError::Expression => {
                Self::new("invalid_args", error.to_string()).hint("*Find in files* and `file.search` read the files")
            }
            IndexError::Ended => Self::new("shutting_down", error.to_string()),
            IndexError::Index(_) | IndexError::Closed(_) => Self::new("io", error.to_string())
                .hint("free some disk space, or delete `.aside/search.db`: the index is made again from the files"),
        }
    }
}
