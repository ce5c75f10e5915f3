//! Find in files.

use aside_core::TS;
use aside_core::{Failure, WorkspacePath};
use serde::{Deserialize, Serialize};

/// The body of `POST find`. The answer is NDJSON, one [`FindLine`] a line; closing the connection ends the search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct FindInFiles {
    /// The text within one line, or a regular expression.
    pub text: String,
    /// The text is a regular expression.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub regex: bool,
    /// Upper and lower case differ.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub match_case: bool,
    /// A match begins and ends at the edge of a word.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub whole_words: bool,
    /// Only in this folder or file.
    #[serde(default)]
    #[ts(optional)]
    pub within: Option<WorkspacePath>,
    /// Globs of the files to search; empty for all. A glob without a slash holds at any depth.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub include: Vec<String>,
    /// Globs of files and folders to leave out.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub exclude: Vec<String>,
    /// Lines after which the search ends; 10,000 unless said.
    #[serde(default)]
    #[ts(optional)]
    pub limit: Option<u32>,
}

/// One line of the answer of `POST find`: files as they are found, in no order, and last `done` or `failed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FindLine {
    /// A file with matches.
    File(FoundFile),
    /// The end.
    Done(FindDone),
    /// The end, before all files were searched.
    Failed(Failure),
}

/// A file with matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundFile {
    /// The file.
    pub path: WorkspacePath,
    /// Its lines with matches.
    pub lines: Vec<FoundLine>,
    /// It has more of them.
    pub more: bool,
}

/// A line with matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundLine {
    /// Its number, from 1; in a notebook, the cell’s.
    pub line: u32,
    /// Its text, cut around the first match if it is long.
    pub text: String,
    /// Beginnings and ends of the matches in the text, in UTF-16 units.
    pub marks: Vec<(u32, u32)>,
}

/// The end of a search in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FindDone {
    /// Files with matches.
    pub files: u32,
    /// Lines with matches that were sent.
    pub lines: u32,
    /// Files that were searched.
    pub looked_through: u32,
    /// There may be more matches.
    pub more: bool,
    /// Milliseconds that it took.
    pub took_ms: u32,
}
