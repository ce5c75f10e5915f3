//! The sidebar that asks a model of this machine about the person's AI coding history: `POST /api/meta-agent/chat`, and the lines that answer it.

use aside_core::TS;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MetaAgentAsked {
    /// What was said so far; the last is the person's.
    pub messages: Vec<MetaAgentMessage>,
    /// The model, as Ollama names it.
    pub model: String,
    /// The model may look at the history.
    #[serde(default = "yes")]
    #[ts(optional, as = "Option<bool>")]
    pub tools_enabled: bool,
    /// The folder that is meant where none is named, or its name in one word; the workspace if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub project_slug: Option<String>,
    /// What may be looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bounds: Option<MetaAgentBounds>,
}

/// What a model may look at, as the arguments of the questions have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct MetaAgentBounds {
    /// From then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub since: Option<String>,
    /// Before then; of a date its whole day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub until: Option<String>,
    /// Programs, such as `claude,codex`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub source: Option<String>,
    /// A folder with all below it, or the name of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub workspace: Option<String>,
    /// Whose days count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub timezone: Option<String>,
}

fn yes() -> bool {
    true
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MetaAgentMessage {
    /// `user` or `assistant`; what else there is, is passed.
    pub role: String,
    /// What.
    #[serde(default)]
    pub content: String,
}

/// A line of the answer. `error` and `done` are the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MetaAgentLine {
    /// More of the answer.
    Token {
        /// The piece.
        delta: String,
        /// When.
        ts: String,
    },
    /// The model asks a question about the history.
    ToolCall {
        /// Told again with the result.
        id: String,
        /// The question.
        name: String,
        /// Its arguments.
        #[ts(type = "unknown")]
        args: Value,
        /// When.
        ts: String,
    },
    /// What came of it.
    ToolResult {
        /// That of the call.
        id: String,
        /// The question.
        name: String,
        /// It was answered.
        ok: bool,
        /// The answer; with `error` if there is none.
        #[ts(type = "unknown")]
        data: Value,
        /// What it took, in milliseconds.
        #[ts(type = "number")]
        duration_ms: u64,
        /// When.
        ts: String,
    },
    /// It can't go on.
    Error {
        /// Why, and what to do.
        message: String,
        /// When.
        ts: String,
    },
    /// The answer is whole.
    Done {
        /// How many times the model was asked.
        hops: u32,
        /// When.
        ts: String,
    },
}
