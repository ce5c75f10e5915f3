//! `thread.set_model`: chooses the model that answers in a thread.

use aside_core::{EffectScope, Failure, ModelRef, Place, Risk, Thread, UndoSupport};
use aside_gate::Declaration;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ThreadChange, changes::Changes};

/// Arguments of `thread.set_model`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetModel {
    /// The thread's id.
    thread: String,
    /// The model, as `provider/name`; absent for the model of the workspace.
    #[serde(default)]
    model: Option<String>,
}

impl Changes for SetModel {
    fn declare() -> Declaration {
        Declaration {
            name: "thread.set_model",
            summary: "Choose the model of a thread",
            description: "The model that answers the next messages of a thread. Without a model, the one chosen for \
                the workspace answers. Sending to a remote service still needs its own permission. Only the user can \
                request this.",
            preconditions: &["the user requests it", "the thread exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Use a local model", json!({"thread": "thr_01kahz8v9k0000000000000000", "model": "ollama/qwen3:4b"})),
                ("Use the workspace's model", json!({"thread": "thr_01kahz8v9k0000000000000000"})),
            ],
            phrases: &["set the model of the thread", "use this model here"],
            tags: &["thread", "model", "provider", "choose", "switch"],
            safety: &["The next message may cost more, or go to another service."],
        }
    }

    fn thread(&self) -> &str {
        &self.thread
    }

    fn change(&self) -> Result<ThreadChange, Failure> {
        let model = self.model.as_deref().map(str::parse::<ModelRef>).transpose();
        let model = model.map_err(|error| Failure::new("invalid_args", error.to_string()))?;
        Ok(ThreadChange { model: Some(model), ..ThreadChange::default() })
    }

    fn shown(thread: &Thread) -> String {
        words(thread.model.as_ref().map(ToString::to_string))
    }

    fn wanted(&self) -> String {
        words(self.model.clone())
    }

    fn back(thread: &Thread) -> Value {
        match &thread.model {
            Some(model) => json!({ "thread": thread.id, "model": model }),
            None => json!({ "thread": thread.id }),
        }
    }
}

fn words(model: Option<String>) -> String {
    model.map_or_else(|| "answered by the model of the workspace".to_owned(), |model| format!("answered by {model}"))
}
