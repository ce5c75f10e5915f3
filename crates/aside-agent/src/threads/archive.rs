//! `thread.archive`: takes a thread out of the list, or back into it.

use aside_core::{EffectScope, Failure, Place, Risk, Thread, UndoSupport};
use aside_gate::Declaration;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ThreadChange, changes::Changes};

/// Arguments of `thread.archive`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArchiveThread {
    /// The thread's id.
    thread: String,
    /// False to unarchive it.
    #[serde(default = "yes")]
    archived: bool,
}

fn yes() -> bool {
    true
}

impl Changes for ArchiveThread {
    fn declare() -> Declaration {
        Declaration {
            name: "thread.archive",
            summary: "Archive or unarchive a thread",
            description: "Takes a conversation with the assistant out of the list of threads, or back into it. \
                Nothing in it is lost. Only the user can request this.",
            preconditions: &["the user requests it", "the thread exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Archive a thread", json!({"thread": "thr_01kahz8v9k0000000000000000"})),
                ("Unarchive a thread", json!({"thread": "thr_01kahz8v9k0000000000000000", "archived": false})),
            ],
            phrases: &["archive the thread", "unarchive this conversation"],
            tags: &["thread", "conversation", "archive", "unarchive", "hide"],
            safety: &[],
        }
    }

    fn thread(&self) -> &str {
        &self.thread
    }

    fn change(&self) -> Result<ThreadChange, Failure> {
        Ok(ThreadChange { archived: Some(self.archived), ..ThreadChange::default() })
    }

    fn shown(thread: &Thread) -> String {
        words(thread.archived)
    }

    fn wanted(&self) -> String {
        words(self.archived)
    }

    fn back(thread: &Thread) -> Value {
        json!({ "thread": thread.id, "archived": thread.archived })
    }
}

fn words(archived: bool) -> String {
    if archived { "archived" } else { "in the list" }.to_owned()
}
