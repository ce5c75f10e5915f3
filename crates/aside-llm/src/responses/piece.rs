//! The event that most are, one more piece of one thing, read without a tree of values in between.

use std::borrow::Cow;

use serde::{Deserialize, de::IgnoredAny};

/// More of something.
#[derive(Deserialize)]
pub(super) struct Piece<'a> {
    /// The event's type.
    #[serde(rename = "type")]
    pub(super) kind: &'a str,
    /// The id of the item that it is of.
    #[serde(borrow)]
    pub(super) item_id: Option<Cow<'a, str>>,
    /// The index of that item.
    #[serde(rename = "output_index")]
    pub(super) index: Option<u64>,
    /// The piece.
    pub(super) delta: String,
    error: Option<IgnoredAny>,
}

/// Returns the piece that an event is; `None` if it is anything else.
pub(super) fn read(data: &str) -> Option<Piece<'_>> {
    serde_json::from_str(data).ok().filter(|piece: &Piece<'_>| piece.error.is_none())
}
