//! The line that most are, one more piece of one thing, read without a tree of values in between.

use serde::{Deserialize, de::IgnoredAny};

/// A line in the middle of an answer.
#[derive(Deserialize)]
struct Line {
    error: Option<IgnoredAny>,
    done: bool,
    message: Piece,
}

/// More of something.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Piece {
    #[serde(rename = "role")]
    _role: Option<IgnoredAny>,
    pub(super) content: Option<String>,
    pub(super) thinking: Option<String>,
}

/// Returns the piece that a line is; `None` if it is anything else, or more.
pub(super) fn read(data: &str) -> Option<Piece> {
    let line: Line = serde_json::from_str(data).ok()?;
    (line.error.is_none() && !line.done).then_some(line.message)
}
