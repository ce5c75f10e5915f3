//! Names of providers and models, and what a model call used.

use std::{fmt, str::FromStr};

use crate::TS;
use serde::{Deserialize, Serialize};

/// `provider/name`: `ollama/qwen2.5-coder:7b`, `anthropic/claude-…`, `rehearsal/demo`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(type = "string")]
pub struct ModelRef {
    /// Which service.
    pub provider: String,
    /// The model's name there; may contain `/`.
    pub name: String,
}

/// Says that a text does not name a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` does not name a model: expected PROVIDER/NAME, such as ollama/qwen2.5-coder:7b")]
pub struct InvalidModelRef(pub String);

impl FromStr for ModelRef {
    type Err = InvalidModelRef;

    fn from_str(text: &str) -> Result<Self, InvalidModelRef> {
        match text.split_once('/') {
            Some((provider, name)) if !provider.is_empty() && !name.is_empty() && text.len() <= 200 => {
                Ok(Self { provider: provider.to_owned(), name: name.to_owned() })
            }
            _ => Err(InvalidModelRef(text.chars().take(200).collect())),
        }
    }
}

impl TryFrom<String> for ModelRef {
    type Error = InvalidModelRef;

    fn try_from(text: String) -> Result<Self, InvalidModelRef> {
        text.parse()
    }
}

impl From<ModelRef> for String {
    fn from(model: ModelRef) -> Self {
        model.to_string()
    }
}

impl fmt::Display for ModelRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.provider, self.name)
    }
}

/// How much a model that thinks before it answers is to think. Others are not told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingEffort {
    /// As its provider has it.
    #[default]
    Usual,
    /// Not at all, or as little as it can.
    Off,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

/// Tokens of one or more model calls, as the provider counted them; absent means it did not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Usage {
    /// Input tokens, those read from or written to a cache included.
    #[ts(type = "number | null")]
    pub input: Option<u64>,
    /// Output tokens, reasoning included.
    #[ts(type = "number | null")]
    pub output: Option<u64>,
    /// Of the input: read from the provider's cache.
    #[ts(type = "number | null")]
    pub cache_read: Option<u64>,
    /// Of the input: written to the provider's cache.
    #[ts(type = "number | null")]
    pub cache_write: Option<u64>,
    /// Of what was written to the cache: to be kept for an hour rather than for some minutes.
    #[serde(default)]
    #[ts(type = "number | null")]
    pub cache_write_hour: Option<u64>,
    /// Of the output: reasoning.
    #[ts(type = "number | null")]
    pub reasoning: Option<u64>,
}

impl Usage {
    /// Returns the sum; a figure that one side does not have is the other's.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let sum = |one: Option<u64>, two: Option<u64>| match (one, two) {
            (Some(one), Some(two)) => Some(one.saturating_add(two)),
            (one, two) => one.or(two),
        };
        Self {
            input: sum(self.input, other.input),
            output: sum(self.output, other.output),
            cache_read: sum(self.cache_read, other.cache_read),
            cache_write: sum(self.cache_write, other.cache_write),
            cache_write_hour: sum(self.cache_write_hour, other.cache_write_hour),
            reasoning: sum(self.reasoning, other.reasoning),
        }
    }
}
