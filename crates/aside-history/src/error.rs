//! What can go wrong with the index of logs.

use std::{io, path::PathBuf};

use aside_core::Failure;
use aside_store::{StoreError, sql};

/// Why the history could not be read or asked.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The index can't be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index did not take or tell something.
    #[error("cannot write to the index of your AI history: {0}")]
    Database(#[from] sql::Error),
    /// A log can't be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What was asked for can't be meant.
    #[error("{0}")]
    Asked(String),
}

const REBUILD: &str = "the index can be rebuilt from the logs: move `history.db` out of your Aside folder, then run \
    `aside history import`";

impl HistoryError {
    /// Returns the error as a value for people, models and programs.
    pub fn failure(&self) -> Failure {
        match self {
            Self::Store(error @ StoreError::Damaged { .. }) => Failure::new("history", error.to_string()).hint(REBUILD),
            Self::Store(error) => error.failure(),
            Self::Database(_) => Failure::new("history", self.to_string()).hint(REBUILD),
            Self::Io { .. } => Failure::new("history", self.to_string()),
            Self::Asked(message) => Failure::new("bad_request", message.clone()),
        }
    }
}

impl From<HistoryError> for Failure {
    fn from(error: HistoryError) -> Self {
        error.failure()
    }
}
