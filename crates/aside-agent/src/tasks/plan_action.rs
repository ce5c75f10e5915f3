//! `task.plan`: a model or another program proposes several actions as one plan, for a person to confirm once.
//!
//! The plan is a task under the grant of whoever asked. Nothing of it happens before a person has said yes to it, unless
//! its thread makes changes at once and the rules allow each of them.

use std::{fmt::Write as _, sync::Weak};

use aside_core::{
    ActionName, ActionRecord, ActionRequest, Assessment, EffectScope, Failure, Observation, Place, Preview, Risk,
    StepState, TaskSource, TaskState, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{NewTask, TaskDetail, Tasks, run::ending};

/// Its name.
pub(crate) const NAME: &str = "task.plan";

/// Arguments of `task.plan`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The goal of the plan, in a few words for the user.
    goal: String,
    /// The steps, in order. Each step sees the results of the previous steps.
    steps: Vec<Step>,
}

/// One step.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The action, such as `doc.edit`.
    action_type: ActionName,
    /// Its arguments, following its own schema.
    args: Map<String, Value>,
}

/// `task.plan`. It does not keep the tasks, which keep the catalog that it is in.
pub(crate) struct TaskPlan {
    pub tasks: Weak<Tasks>,
}

impl Action for TaskPlan {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: NAME,
            summary: "Propose several actions as one plan",
            description: "Shows the user a preview of all steps, in order, each based on the results of the previous \
                steps. The user confirms the plan once, rejects some steps or single changes, or rejects all of it. \
                Then the steps run exactly as previewed, and stop at the first difference. If the result says that \
                the plan is waiting, tell the user and end the turn: you receive the results later. In threads that \
                apply changes without approval, the result says what was done.",
            preconditions: &[],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![(
                "Rename a file and fix the references to it",
                json!({
                    "goal": "Rename the data file",
                    "steps": [
                        {"action_type": "file.move", "args": {"from": "data.csv", "to": "tides.csv"}},
                        {"action_type": "doc.edit", "args": {
                            "path": "plot.py", "edits": [{"old": "\"data.csv\"", "new": "\"tides.csv\""}]
                        }},
                    ],
                }),
            )],
            phrases: &["plan these changes", "do several things at once"],
            tags: &["task", "plan", "steps", "batch", "several"],
            safety: &["The plan runs under the grant of its proposer."],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        if args.steps.is_empty() {
            return Err(Failure::new("invalid_args", "a plan needs at least one step"));
        }
        Ok(Assessment::default())
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Plan for “{}”, {} steps", args.goal, args.steps.len())))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let tasks = self.tasks.upgrade().ok_or_else(|| Failure::new("shutting_down", "the server is shutting down"))?;
        let submission = tasks.gate.submission_of(&context.id).map_err(|error| error.failure())?;
        let request = |step: &Step| ActionRequest::new(step.action_type.clone(), Value::Object(step.args.clone()));
        let requests = args.steps.iter().map(request).collect();
        let new = NewTask {
            planned_by: Some(context.id.clone()),
            ..NewTask::of(args.goal.clone(), requests, TaskSource::Plan)
        };
        let planned = tasks.create(new, submission).await?;
        Ok(Run::observed(observation(&tasks.settled(&planned.task.id).await?)))
    }
}

fn observation(detail: &TaskDetail) -> Observation {
    let steps = detail.plan.iter().flat_map(|plan| &plan.steps);
    let possible = steps.clone().filter(|step| step.state == StepState::Waiting).count();
    let waits = detail.task.state == TaskState::AwaitingConfirmation;
    let mut text = match (&detail.task.summary, possible) {
        (Some(summary), _) if steps.clone().any(|step| step.action.is_some()) => {
            let waits = if waits { " The rest is waiting for the user." } else { "" };
            format!("{summary}{waits}")
        }
        (_, 0) => "None of the steps can run, so the user is not asked.".to_owned(),
        _ => format!(
            "The plan is waiting for the user's decision about its {possible} possible steps; nothing is done yet. Task {}.",
            detail.task.id
        ),
    };
    for step in steps.clone() {
        if let Some(problem) = &step.problem {
            let _ = write!(text, "\nStep {} can't run: {}", step.number, problem.message);
        }
        // What programs say is data, which stands nowhere without a fence.
        let own = |record: &&ActionRecord| {
            Some(&record.envelope.id) == step.action.as_ref() && !record.told_from().is_external()
        };
        if let Some(record) = detail.actions.iter().find(own) {
            let _ = write!(text, "\nStep {}: {}", step.number, ending(record));
        }
    }
    let numbers: Vec<_> = steps.map(|step| json!({"step": step.number, "state": step.state})).collect();
    Observation::with(text, json!({"task": detail.task.id, "state": detail.task.state, "steps": numbers}))
}
