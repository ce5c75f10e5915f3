//! The actions on threads; `thread.delete` and its inverse `thread.restore` are here. All are for a person to ask: no model
//! deletes a conversation.

use std::{collections::HashSet, sync::Arc, time::Duration};

use aside_core::{
    ActionRequest, Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, Thread, ThreadId, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Handler, Run, handler};
use aside_store::Store;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    archive::ArchiveThread,
    changes::{ChangesThread, object},
    create::ThreadCreate,
    deletion, get,
    rename::RenameThread,
    set_model::SetModel,
};
use crate::error::AgentError;

/// Their names, those of the two here first.
pub(crate) const NAMES: [&str; 6] =
    ["thread.delete", "thread.restore", "thread.create", "thread.rename", "thread.archive", "thread.set_model"];

/// Arguments of both.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The thread's id.
    thread: String,
    /// The time at which something last happened in the thread, in milliseconds. If something happened later, the thread
    /// is not deleted. Used by undo.
    #[serde(default)]
    expected: Option<i64>,
}

struct ThreadDelete {
    store: Arc<Store>,
}

struct ThreadRestore {
    store: Arc<Store>,
    protected: Protected,
}

/// The threads that are not put away to make room for the one that comes back.
pub(crate) type Protected = Arc<dyn Fn() -> HashSet<ThreadId> + Send + Sync>;

/// Returns all.
pub(crate) fn actions(store: &Arc<Store>, protected: &Protected) -> [Arc<dyn Handler>; 6] {
    [
        handler(ThreadDelete { store: store.clone() }),
        handler(ThreadRestore { store: store.clone(), protected: protected.clone() }),
        handler(ThreadCreate { store: store.clone(), protected: protected.clone() }),
        handler(ChangesThread::<RenameThread>::new(store, protected)),
        handler(ChangesThread::<ArchiveThread>::new(store, protected)),
        handler(ChangesThread::<SetModel>::new(store, protected)),
    ]
}

impl Action for ThreadDelete {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: NAMES[0],
            summary: "Delete a thread",
            description: "Deletes a conversation with the assistant. It can be restored for 7 days. Its actions stay \
                in the activity log. Only the user can request this.",
            preconditions: &["the user requests it", "none of its turns is running or waiting"],
            effect: EffectScope::Workspace,
            risks: [Risk::Destructive].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Delete a thread", json!({"thread": "thr_01kahz8v9k0000000000000000"}))],
            phrases: &[
                "delete the thread",
                "remove this conversation",
                "(delete|remove) (this|the current) (thread|conversation) => thread={thread}",
            ],
            tags: &["thread", "conversation", "delete"],
            safety: &["Can be undone for 7 days."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        check_person(context)?;
        let thread = found(get(&self.store, &id(args)?))?;
        if deletion::is_busy(&self.store, &thread.id).map_err(|error| error.failure())? {
            return Err(AgentError::Busy.failure());
        }
        if args.expected.is_some_and(|expected| thread.updated.0 > expected) {
            let message = format!("the thread “{}” went on since, so it was not deleted", thread.title);
            return Err(Failure::new("conflict", message).hint("`thread.delete` deletes it as it is now"));
        }
        Ok(Assessment { targets: vec![object(&thread.id)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let thread = found(get(&self.store, &id(args)?))?;
        let kept = deletion::KEPT_FOR;
        Ok(Preview::summary(format!("Delete the thread “{}”; it can be restored for {kept} days", thread.title)))
    }

    fn kept_for(&self) -> Option<Duration> {
        Some(Duration::from_hours(24 * deletion::KEPT_FOR.unsigned_abs()))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let thread = found(deletion::delete(&self.store, &id(args)?))?;
        Ok(run(&thread, "deleted", NAMES[1]))
    }
}

impl Action for ThreadRestore {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: NAMES[1],
            summary: "Restore a deleted thread",
            description: "Restores a thread that was deleted within the last 7 days, with all its messages. Only the \
                user can request this.",
            preconditions: &["the user requests it", "the thread was deleted within the last 7 days"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Restore a thread", json!({"thread": "thr_01kahz8v9k0000000000000000"}))],
            phrases: &["restore the thread", "undelete this conversation"],
            tags: &["thread", "conversation", "restore"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        check_person(context)?;
        let thread = found(deletion::deleted(&self.store, &id(args)?))?;
        Ok(Assessment { targets: vec![object(&thread.id)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let thread = found(deletion::deleted(&self.store, &id(args)?))?;
        Ok(Preview::summary(format!("Restore the thread “{}”", thread.title)))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let thread = found(deletion::restore(&self.store, &id(args)?, &(self.protected)()))?;
        Ok(run(&thread, "restored", NAMES[0]))
    }
}

fn run(thread: &Thread, done: &str, inverse: &str) -> Run {
    let name = inverse.parse().expect("the names are `noun.verb`");
    let args = match inverse == NAMES[0] {
        true => json!({ "thread": thread.id, "expected": thread.updated.0 }),
        false => json!({ "thread": thread.id }),
    };
    let inverse = ActionRequest::new(name, args);
    let observation = Observation::text(format!("{done} the thread “{}”", thread.title));
    Run { observation, inverse: Some(inverse), changed: vec![object(&thread.id)] }
}

fn check_person(context: &ActionContext) -> Result<(), Failure> {
    match context.origin.is_person() {
        true => Ok(()),
        false => Err(Failure::new("person_only", "only the user can delete or restore threads")),
    }
}

fn id(args: &Args) -> Result<ThreadId, Failure> {
    args.thread.parse().map_err(|error| Failure::new("invalid_args", format!("{error}")))
}

fn found(thread: Result<Thread, AgentError>) -> Result<Thread, Failure> {
    thread.map_err(|error| error.failure())
}
