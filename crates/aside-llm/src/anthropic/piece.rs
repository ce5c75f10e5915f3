//! The event that most are, one more piece of one block, read without a tree of values in between.

use serde::Deserialize;

/// More of a block.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    index: u64,
    delta: Delta<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Delta<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    text: Option<String>,
    thinking: Option<String>,
    partial_json: Option<String>,
}

/// More of the block at an index.
pub(super) enum Piece {
    Text(String),
    Thinking(String),
    Input(String),
}

/// Returns the piece that an event is, and the index of its block; `None` if it is anything else.
pub(super) fn read(data: &str) -> Option<(u64, Piece)> {
    let Event { kind: "content_block_delta", index, delta } = serde_json::from_str(data).ok()? else { return None };
    let piece = match (delta.kind, delta.text, delta.thinking, delta.partial_json) {
        ("text_delta", Some(text), None, None) => Piece::Text(text),
        ("thinking_delta", None, Some(text), None) => Piece::Thinking(text),
        ("input_json_delta", None, None, Some(text)) => Piece::Input(text),
        _ => return None,
    };
    Some((index, piece))
}
