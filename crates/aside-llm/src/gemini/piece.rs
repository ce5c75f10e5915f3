//! The chunk that most are, one more piece of a text, read without a tree of values in between.

use serde::{Deserialize, de::IgnoredAny};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    error: Option<IgnoredAny>,
    prompt_feedback: Option<IgnoredAny>,
    candidates: [Candidate; 1],
    usage_metadata: Option<Figures>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    finish_reason: Option<IgnoredAny>,
    content: Content,
}

#[derive(Deserialize)]
struct Content {
    parts: [Part; 1],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    text: String,
    thought: Option<bool>,
}

/// What was used so far.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Figures {
    pub(super) prompt_token_count: Option<u64>,
    pub(super) tool_use_prompt_token_count: Option<u64>,
    pub(super) candidates_token_count: Option<u64>,
    pub(super) thoughts_token_count: Option<u64>,
    pub(super) cached_content_token_count: Option<u64>,
}

/// More of a text.
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) thought: bool,
    pub(super) figures: Option<Figures>,
}

/// Returns the piece that a chunk is; `None` if it is anything else, or more.
pub(super) fn read(data: &str) -> Option<Piece> {
    let chunk: Chunk = serde_json::from_str(data).ok()?;
    let [Candidate { finish_reason, content: Content { parts: [part] } }] = chunk.candidates;
    if [chunk.error, chunk.prompt_feedback, finish_reason].iter().any(Option::is_some) {
        return None;
    }
    Some(Piece { text: part.text, thought: part.thought.unwrap_or_default(), figures: chunk.usage_metadata })
}
