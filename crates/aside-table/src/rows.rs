//! The interface of a file format: its rows by number, and walks over all of them.

use std::{borrow::Cow, ops::Range};

use crate::{TableError, values::NumberStyle};

/// The fields of one row.
pub(crate) trait Fields {
    /// The text of a field, cut if it is long; empty where the row has none.
    fn field(&self, column: usize) -> Cow<'_, str>;

    /// Tells whether any field passes a test. Tests for words may first look at the whole row.
    fn any(&self, words: Option<&str>, test: &dyn Fn(&str) -> bool) -> bool;
}

/// The rows of a file that are known so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KnownRows {
    pub rows: u64,
    /// The share of the file that has been read, from 0 to 1.
    pub progress: f64,
}

/// A visit of a row, whose failure ends the walk. The numbers are that of the row, from 0, and the share of the file before it.
pub(crate) type Visit<'a> = dyn FnMut(u64, f64, &dyn Fields) -> Result<(), TableError> + 'a;

/// The rows of a file.
pub(crate) trait Rows: Send + Sync {
    /// The rows that are known so far.
    fn known(&self) -> KnownRows;

    /// The names of the columns, if the format has names.
    fn names(&self) -> Option<Vec<String>>;

    /// Returns the fields of some columns of some rows, each cut after `most` bytes; fails if a row is not there any more.
    fn rows(&self, rows: &[u64], columns: Range<usize>, most: usize) -> Result<Vec<Vec<String>>, TableError>;

    /// Returns the fields of rows that follow each other; fewer at the end.
    fn range(
        &self,
        from: u64,
        count: usize,
        columns: Range<usize>,
        most: usize,
    ) -> Result<Vec<Vec<String>>, TableError>;

    /// Walks over all rows from one on. Only the fields of these columns are looked at; all without any.
    fn walk(&self, from: u64, columns: &[usize], visit: &mut Visit<'_>) -> Result<(), TableError>;

    /// How numbers are written.
    fn numbers(&self) -> NumberStyle;
}
