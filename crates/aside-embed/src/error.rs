//! Errors of a model folder, and of any model that makes vectors.

use std::{io, path::PathBuf};

/// Why a folder is no model that can be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file is not there or can't be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is there and is not what it should be.
    #[error("`{}` can't be used: {detail}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        detail: String,
    },
}

/// Why there are no vectors.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The folder has no model that can be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The answer does not fit the texts: nothing of it is used.
    #[error("the model answered with {0}")]
    Answer(String),
    /// A text is longer than the model reads.
    #[error("a text is too long for the model: {0}")]
    TooLong(String),
    /// The model can't be reached, or is slow: it is asked again later.
    #[error("{0}")]
    Gone(String),
    /// The model must not be called, or refuses: it is not asked again before something changes.
    #[error("{message}")]
    Refused {
        /// Why.
        message: String,
        /// The remedy, if one is known.
        hint: Option<String>,
    },
}
