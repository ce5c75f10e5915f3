//! Why a table can't be read, in words for people and models.

use std::io;

use aside_core::Failure;

/// Why a table, or a part of it, can't be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The disk failed.
    #[error("cannot {attempt}: {source}")]
    Io {
        /// The attempt: `read the table`.
        attempt: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// Another program has changed the file in the meantime.
    #[error("the file changed while it was read")]
    Changed,
    /// The file is no table.
    #[error("the file is not a table: {0}")]
    NotATable(String),
    /// The file is torn, not what it seems, or packed in a way that is not known.
    #[error("the Parquet file can't be read: {0}")]
    Damaged(String),
    /// There is no such column.
    #[error("there is no column {column}: the table has {columns}")]
    NoColumn {
        /// The column, from 1.
        column: usize,
        /// The number of columns.
        columns: usize,
    },
    /// Row numbers have 32 bits.
    #[error("the table has more than 4,294,967,295 rows, too many to sort or filter")]
    TooManyRows,
    /// Nobody waits for the answer any more.
    #[error("the work was cancelled")]
    Cancelled,
    /// Work on the table failed before.
    #[error("{0}")]
    Failed(Failure),
}

impl TableError {
    /// The failure of something that was attempted with the disk.
    pub(crate) fn io(attempt: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { attempt, source }
    }

    /// The failure as actions and routes report it.
    pub fn failure(&self) -> Failure {
        let code = match self {
            Self::Failed(failure) => return failure.clone(),
            Self::Io { .. } => "io",
            Self::Changed => "changed",
            Self::NotATable(_) => "not_a_table",
            Self::Damaged(_) => "damaged_table",
            Self::NoColumn { .. } => "no_such_column",
            Self::TooManyRows => "too_large",
            Self::Cancelled => "cancelled",
        };
        let failure = Failure::new(code, self.to_string());
        match self {
            Self::Changed => failure.hint("read the table again"),
            Self::NoColumn { .. } => failure.hint("read the table without columns to see their names"),
            Self::NotATable(_) => failure.hint("open it as text or as bytes"),
            Self::TooManyRows => failure.hint("leave out the order and the filters"),
            Self::Io { .. } | Self::Damaged(_) | Self::Cancelled | Self::Failed(_) => failure,
        }
    }
}

impl From<io::Error> for TableError {
    fn from(source: io::Error) -> Self {
        Self::Io { attempt: "write the order of the table to the scratch folder", source }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        error.failure()
    }
}
