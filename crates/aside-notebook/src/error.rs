//! Why a file is not a notebook that can be opened.

use thiserror::Error;

/// A file can't be opened as a notebook. It is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotebookError {
    /// The bytes are not UTF-8, which JSON is written in.
    #[error("not a notebook: byte {at} is not UTF-8")]
    NotUtf8 {
        /// The first byte that is not, from 0.
        at: usize,
    },
    /// The text is not JSON.
    #[error("not a notebook: {reason}")]
    NotJson {
        /// What is wrong and at which line and column.
        reason: String,
    },
    /// It is JSON, but something else than a notebook.
    #[error("not a notebook: {reason}")]
    NotANotebook {
        /// What is missing.
        reason: String,
    },
    /// It is of a version of the format that is not read.
    #[error("notebook format {major} is not supported, only 1 to 4")]
    Version {
        /// The major version that the file says.
        major: u64,
    },
}
