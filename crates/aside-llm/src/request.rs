//! What is asked of a model, in the form that every adapter translates to its own wire.

use aside_core::{ThinkingEffort, ToolCall};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One call of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelRequest {
    /// The model's name at its provider (`ModelRef::name`).
    pub model: String,
    /// The standing instructions; stable from step to step, so that providers can cache them.
    pub system: String,
    /// The conversation, oldest first, ending with what the model is to answer.
    pub messages: Vec<Message>,
    /// The tools it may call, in a stable order; empty for a model that takes none.
    pub tools: Vec<ToolSpec>,
    /// The most tokens the answer may have; the provider's own limit if absent.
    pub max_output: Option<u32>,
    /// How many tokens of context to provide for, where the server lets us choose (Ollama's `num_ctx`).
    pub context: Option<u32>,
    /// The conversation that this belongs to, by a name that says nothing of it: where the last request of one was served,
    /// the next may find its beginning cached.
    pub conversation: Option<String>,
    /// How much the model is to think, if it is one that does.
    #[serde(default)]
    pub thinking: ThinkingEffort,
}

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    /// From the person, or from Aside on their behalf.
    User {
        /// What it says.
        text: String,
        /// What it shows, before its words; only for a model that takes images.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
    },
    /// From the model.
    Assistant {
        /// What it said.
        text: String,
        /// What it called, in order.
        calls: Vec<ToolCall>,
        /// The [`ModelEvent::Echo`](crate::ModelEvent::Echo) of that answer, unchanged; null if there was none.
        #[serde(default)]
        echo: Value,
    },
    /// What came of one call.
    ToolResult {
        /// The [`ToolCall::id`] it answers.
        call: String,
        /// The tool's name, as in the call.
        name: String,
        /// What the model is told.
        text: String,
        /// Set when the tool did not do what it was asked for.
        failed: bool,
    },
}

impl Message {
    /// A person's message without images.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into(), images: Vec::new() }
    }
}

/// A picture for a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Image {
    /// Its media type: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    pub kind: String,
    /// Its bytes in base64, as every wire carries them.
    pub base64: String,
}

/// A tool as it is offered to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name on the wire: letters, digits, `_` and `-` (the agent maps `doc.edit` to `doc_edit`).
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// The JSON schema of its arguments.
    pub schema: Value,
}
