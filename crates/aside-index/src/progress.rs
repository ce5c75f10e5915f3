//! How far the index is.

/// Files that are named among those that are left out.
pub(crate) const MOST_NAMED: usize = 100;

/// How far the index is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexProgress {
    /// Files are still being read.
    pub reading: bool,
    /// Files that were read or are known.
    pub done: usize,
    /// All files.
    pub of: usize,
    /// A problem that keeps the index from being current, for people.
    pub problem: Option<String>,
    /// How many files are found by their names only.
    pub left_out: usize,
    /// Some of these.
    pub named: Vec<LeftOut>,
}

/// A file of which only the name is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The file.
    pub path: String,
    /// The reason.
    pub reason: String,
}
