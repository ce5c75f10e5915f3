//! Finds a pattern in the files of a folder, with ripgrep's own crates, and in texts that are newer than their files.
//!
//! Reads files below the opened folder only, and never through a symbolic link. Which folders and files there are, and which texts are newer,
//! its caller says; whoever asked and what they may read is not known here.

mod globs;
mod line;
mod open;
mod pattern;
mod replace;
mod searcher;
mod tree;

pub use line::{LineLimits, LineMatch};
pub use pattern::{FindQuery, Pattern, QueryError};
pub use replace::Replacement;
pub use searcher::FileMatches;
pub use tree::{SearchTotals, Source, Tree, search, search_files};
