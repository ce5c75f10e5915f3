//! `task.pause`: keeps a running task from going on.

use std::sync::{Arc, Weak};

use aside_agent::Tasks;
use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, TaskId, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{check_person, ending, object};

/// Arguments of `task.pause`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PauseArgs {
    /// The task's id.
    task: String,
}

/// `task.pause`.
pub(crate) struct TaskPause {
    pub(super) tasks: Weak<Tasks>,
    pub(super) user: String,
}

impl Action for TaskPause {
    type Args = PauseArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "task.pause",
            summary: "Pause a task",
            description: "Keeps a running task from going on after the step at hand. The user resumes it, where each \
                step is still checked. Only the user can request this.",
            preconditions: &["the user requests it", "the task is running"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Pause a task", json!({"task": "tsk_01kahz8v9k0000000000000000"}))],
            phrases: &["pause the task", "hold this task"],
            tags: &["task", "pause", "hold", "wait"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &PauseArgs) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        let id = args.task()?;
        self.tasks()?.detail(&id)?;
        Ok(Assessment { targets: vec![object("task", id)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &PauseArgs) -> Result<Preview, Failure> {
        let task = self.tasks()?.detail(&args.task()?)?.task;
        Ok(Preview::summary(format!("Pause the task “{}”", task.goal)))
    }

    async fn run(&self, _context: &ActionContext, args: &PauseArgs) -> Result<Run, Failure> {
        let task = self.tasks()?.pause(&args.task()?, &self.user)?.task;
        let observation = Observation::text(format!("paused the task “{}”", task.goal));
        Ok(Run { observation, inverse: None, changed: vec![object("task", task.id)] })
    }
}

impl TaskPause {
    fn tasks(&self) -> Result<Arc<Tasks>, Failure> {
        self.tasks.upgrade().ok_or_else(ending)
    }
}

impl PauseArgs {
    fn task(&self) -> Result<TaskId, Failure> {
        self.task.parse().map_err(|error| Failure::new("invalid_args", format!("{error}")))
    }
}
