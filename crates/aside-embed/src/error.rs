//! Errors of a model folder.

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
