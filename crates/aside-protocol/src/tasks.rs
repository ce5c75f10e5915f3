//! Bodies of the routes `tasks` and `recipes`.

use std::collections::BTreeMap;

use aside_core::TS;
use aside_core::{
    ActionId, ActionName, ActionRecord, ActionRequest, ActionState, Cost, Outcome, PendingCall, Plan, Provenance,
    ScriptReport, Sha256, StepLine, Task, TaskId, TaskStatus, TimelineEntry,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `POST tasks`: plans some requests, and waits for a person's yes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewTask {
    /// What it is for.
    pub goal: String,
    /// The requests, in order.
    pub steps: Vec<ActionRequest>,
    /// The same key with the same request makes one task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub idempotency_key: Option<String>,
    /// Shows what would happen, and keeps nothing.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub dry_run: bool,
}

/// `POST tasks/{id}/undo`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct UndoTask {
    /// The same key with the same request makes one task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub idempotency_key: Option<String>,
    /// Shows what would happen, and keeps nothing.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub dry_run: bool,
    /// Takes back what can be, although not all can; the answer says exactly what.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub partly: bool,
}

/// `POST tasks/{id}/run_again`: a new task from an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RunAgain {
    /// The requests with edits; those of the earlier task, as `GET tasks/{id}/run_again` says them, if absent.
    #[serde(default)]
    #[ts(optional)]
    pub steps: Option<Vec<ActionRequest>>,
    /// Another goal.
    #[serde(default)]
    #[ts(optional)]
    pub goal: Option<String>,
    /// The same key with the same request makes one task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub idempotency_key: Option<String>,
    /// Shows what would happen, and keeps nothing.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub dry_run: bool,
}

/// `GET tasks`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ListedTasks {
    /// The tasks, the newest first.
    pub tasks: Vec<Task>,
}

/// `GET tasks/{id}` and the answer of everything that changes a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TaskDetail {
    /// The task's id.
    pub id: TaskId,
    /// Where it is, as people read it.
    pub state: TaskStatus,
    /// The hash of the plan that is shown, which an approval names.
    pub hash: Option<Sha256>,
    /// The steps of the plan, a line each.
    pub steps: Vec<StepLine>,
    /// The task. A dry run's task is not kept: its id names nothing.
    pub task: Task,
    /// What it does or would do, if it was made from requests.
    pub plan: Option<Plan>,
    /// What it was made from: for a model's plan, all that the model was shown.
    pub provenance: Provenance,
    /// What happened, in order.
    pub timeline: Vec<TimelineEntry>,
    /// Its actions as they are now.
    pub actions: Vec<ActionRecord>,
    /// What the calls of models in its turns have cost.
    pub cost: Cost,
    /// The run, if it is a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub script: Option<ScriptReport>,
    /// The call of the script that waits for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pending: Option<PendingCall>,
}

/// `GET tasks/{id}/actions`: what a task has asked the Gate for, as far as that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TaskActions {
    /// The actions, in order.
    pub actions: Vec<TaskAction>,
}

/// One action of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TaskAction {
    /// Its id.
    pub id: ActionId,
    /// Its name.
    pub action_type: ActionName,
    /// Its arguments.
    #[ts(type = "unknown")]
    pub args: Value,
    /// Where it is.
    pub state: ActionState,
    /// How it ended; without the data that it returned, which `GET actions/{id}` has.
    pub outcome: Option<Outcome>,
}

/// `POST recipes`: keeps the actions of a task as a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SaveRecipe {
    /// The task.
    pub task: TaskId,
    /// The recipe's name; one from the goal if absent.
    #[serde(default)]
    #[ts(optional)]
    pub name: Option<String>,
    /// Other names for the parameters that are found.
    #[serde(default)]
    #[ts(as = "Option<BTreeMap<String, String>>", optional)]
    pub rename: BTreeMap<String, String>,
}

/// `POST recipes/{name}/run`: a new task from a recipe.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RunRecipe {
    /// Values of parameters; the others are what they were.
    #[serde(default)]
    #[ts(as = "Option<BTreeMap<String, String>>", optional)]
    pub set: BTreeMap<String, String>,
    /// The same key with the same request makes one task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub idempotency_key: Option<String>,
    /// Shows what would happen, and keeps nothing.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub dry_run: bool,
}
