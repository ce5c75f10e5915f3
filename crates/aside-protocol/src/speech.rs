//! `speech`: spoken words to text.

use aside_core::{Cost, ModelRef, TS};
use serde::{Deserialize, Serialize};

/// The kind and the language of a recording, whose bytes are the body.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeechIn {
    /// Its media type, such as `audio/webm`.
    pub media_type: String,
    /// The language of the words, such as `en`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// The words of a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SpokenWords {
    /// The words; empty if none were heard.
    pub text: String,
    /// The model that wrote them down.
    pub model: ModelRef,
    /// The cost.
    pub cost: Cost,
}
