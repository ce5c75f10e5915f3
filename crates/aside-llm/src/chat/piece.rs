//! The chunk that most are, one more piece of one thing, read without a tree of values in between.
//!
//! Whatever has any other field where that could matter is not read here.

use serde::{Deserialize, de::IgnoredAny};

/// A chunk that carries a piece and nothing else.
#[derive(Deserialize)]
struct Chunk {
    error: Option<IgnoredAny>,
    usage: Option<IgnoredAny>,
    x_groq: Option<IgnoredAny>,
    choices: [Choice; 1],
}

#[derive(Deserialize)]
struct Choice {
    finish_reason: Option<IgnoredAny>,
    delta: Delta,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Delta {
    content: Option<String>,
    reasoning_content: Option<String>,
    tool_calls: Option<[Call; 1]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    index: u64,
    function: Function,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Function {
    arguments: String,
}

/// More of something.
pub(super) enum Piece {
    Text(String),
    Thinking(String),
    /// More of the arguments of the call with this index.
    Arguments(u64, String),
}

/// Returns the piece that a chunk is; `None` if it is anything else, or more.
pub(super) fn read(data: &str) -> Option<Piece> {
    let chunk: Chunk = serde_json::from_str(data).ok()?;
    let [Choice { finish_reason, delta }] = chunk.choices;
    if [chunk.error, chunk.usage, chunk.x_groq, finish_reason].iter().any(Option::is_some) {
        return None;
    }
    match delta {
        Delta { content: Some(text), reasoning_content: None, tool_calls: None } => Some(Piece::Text(text)),
        Delta { content: None, reasoning_content: Some(text), tool_calls: None } => Some(Piece::Thinking(text)),
        Delta { content: None, reasoning_content: None, tool_calls: Some([call]) } => {
            Some(Piece::Arguments(call.index, call.function.arguments))
        }
        _ => None,
    }
}
