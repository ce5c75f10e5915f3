//! `thread.rename`: gives a thread another title.

use aside_core::{EffectScope, Failure, Place, Risk, Thread, UndoSupport};
use aside_gate::Declaration;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ThreadChange, changes::Changes, clean};

/// Arguments of `thread.rename`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameThread {
    /// The thread's id.
    thread: String,
    /// The new title, in one line.
    title: String,
}

impl Changes for RenameThread {
    fn declare() -> Declaration {
        Declaration {
            name: "thread.rename",
            summary: "Rename a thread",
            description: "Gives a conversation with the assistant another title. Only the user can request this.",
            preconditions: &["the user requests it", "the thread exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Rename a thread",
                json!({"thread": "thr_01kahz8v9k0000000000000000", "title": "Plots of the growth data"}),
            )],
            phrases: &["rename the thread", "give this conversation a title"],
            tags: &["thread", "conversation", "rename", "title", "name"],
            safety: &[],
        }
    }

    fn thread(&self) -> &str {
        &self.thread
    }

    fn change(&self) -> Result<ThreadChange, Failure> {
        if clean(&self.title).is_empty() {
            return Err(Failure::new("invalid_args", "the title of a thread has at least one letter"));
        }
        Ok(ThreadChange { title: Some(self.title.clone()), ..ThreadChange::default() })
    }

    fn shown(thread: &Thread) -> String {
        format!("named “{}”", thread.title)
    }

    fn wanted(&self) -> String {
        format!("named “{}”", clean(&self.title))
    }

    fn back(thread: &Thread) -> Value {
        json!({ "thread": thread.id, "title": thread.title })
    }
}
