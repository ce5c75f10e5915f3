//! What became of each edit, for a program, a model and a person.

use aside_core::{Confidence, LineRange, Version};
use serde::{Deserialize, Serialize};

use super::Level;

/// Real lines that might have been meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// The first of them, from 1.
    pub line: u32,
    /// The lines.
    pub text: String,
}

/// Why an edit has no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The old text is not there.
    NoMatch,
    /// It is there several times, and nothing tells which was meant.
    Ambiguous,
    /// It was there, and has been changed or removed since.
    Stale,
    /// Another edit of the same request covers the same lines.
    Overlap,
    /// Old and new are the same.
    Noop,
    /// A guard forbids it.
    Guard,
    /// The edit itself makes no sense.
    Parse,
}

/// An edit that has its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// Which edit, from 0.
    pub index: usize,
    /// The lines it covers.
    pub range_before: LineRange,
    /// Where they are afterwards.
    pub range_after: LineRange,
    /// How the place was found.
    pub level: Level,
    /// How sure that makes it.
    pub confidence: Confidence,
    /// Set if the text has the new lines already: nothing was left to do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub already: bool,
    /// The changed lines, each after `-` or `+`.
    pub diff: String,
}

/// An edit that has no place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// Which edit, from 0.
    pub index: usize,
    /// Why, as a word.
    pub reason: Reason,
    /// Why, as a sentence.
    pub message: String,
    /// At most three places that might have been meant.
    pub candidates: Vec<Candidate>,
}

/// What became of each edit of a request: all of them are applied or none is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The edits that were made; empty if any failed.
    pub applied: Vec<Applied>,
    /// The edits that have their place but were not made, because others failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<Applied>,
    /// The edits that failed.
    pub failed: Vec<Failed>,
    /// The version the edits were planned for.
    pub hash_before: Version,
    /// The version they lead to, once they are made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_after: Option<Version>,
}

impl Failed {
    pub(crate) fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { index: 0, reason, message: message.into(), candidates: Vec::new() }
    }

    pub(crate) fn with(mut self, candidates: Vec<Candidate>) -> Self {
        self.candidates = candidates;
        self
    }
}
