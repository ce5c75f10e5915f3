//! `speech`: spoken words to text.

use aside_core::{Cost, ModelRef, TS};
use serde::{Deserialize, Serialize};

/// What is known of a recording beside its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeechIn {
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
    /// What it cost.
    pub cost: Cost,
}
