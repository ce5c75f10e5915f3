//! `task.cancel`: ends a task.

use std::sync::{Arc, Weak};

use aside_agent::Tasks;
use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, TaskId, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{check_person, ending, object};

/// Arguments of `task.cancel`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CancelArgs {
    /// The task's id.
    task: String,
}

/// `task.cancel`.
pub(crate) struct TaskCancel {
    pub(super) tasks: Weak<Tasks>,
    pub(super) user: String,
}

impl Action for TaskCancel {
    type Args = CancelArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "task.cancel",
            summary: "Cancel a task",
            description: "Ends a task. The steps that are done stay, and can be undone; a step that waits is \
                rejected, and a running program is stopped. Only the user can request this.",
            preconditions: &["the user requests it", "the task has not ended"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Cancel a task", json!({"task": "tsk_01kahz8v9k0000000000000000"}))],
            phrases: &["cancel the task", "end this task"],
            tags: &["task", "cancel", "stop", "plan"],
            safety: &["A cancelled task can't go on; run it again instead."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &CancelArgs) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        let id = args.task()?;
        self.tasks()?.detail(&id)?;
        Ok(Assessment { targets: vec![object("task", id)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &CancelArgs) -> Result<Preview, Failure> {
        let task = self.tasks()?.detail(&args.task()?)?.task;
        Ok(Preview::summary(format!("Cancel the task “{}”", task.goal)))
    }

    async fn run(&self, _context: &ActionContext, args: &CancelArgs) -> Result<Run, Failure> {
        let task = self.tasks()?.cancel(&args.task()?, &self.user).await?.task;
        let observation = Observation::text(format!("cancelled the task “{}”", task.goal));
        Ok(Run { observation, inverse: None, changed: vec![object("task", task.id)] })
    }
}

impl TaskCancel {
    fn tasks(&self) -> Result<Arc<Tasks>, Failure> {
        self.tasks.upgrade().ok_or_else(ending)
    }
}

impl CancelArgs {
    fn task(&self) -> Result<TaskId, Failure> {
        self.task.parse().map_err(|error| Failure::new("invalid_args", format!("{error}")))
    }
}
