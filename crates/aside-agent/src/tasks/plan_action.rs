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
    /// What the plan is for, in a few words for the person.
    goal: String,
    /// What is to be done, in order. Each step sees what the ones before it leave.
    steps: Vec<Step>,
}

/// One step.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The action, such as `doc.edit`.
    action_type: ActionName,
    /// Its arguments, as its own schema says.
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
            description: "Shows the person what all steps would do, in order, each over what the ones before it leave. \
                The person confirms the plan once, leaves steps or single changes of them out, or rejects it; then the \
                steps run as they were shown, and stop at the first difference. If the answer says that the plan waits, say so and end the turn: you \
                are told later what became of the steps. Where changes are made at once, it says what was done.",
            preconditions: &[],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![(
                "Rename a file and mend what refers to it",
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
            safety: &["The plan runs under the grant of whoever proposes it."],
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
        let tasks = self.tasks.upgrade().ok_or_else(|| Failure::new("shutting_down", "the server is ending"))?;
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
            let waits = if waits { " The rest waits for the person." } else { "" };
            format!("{summary}{waits}")
        }
        (_, 0) => "Nothing of the plan can be done, so the person is not asked.".to_owned(),
        _ => format!(
            "The plan waits for the person, who is shown all {possible} steps that can be done; nothing is done yet. Task {}.",
            detail.task.id
        ),
    };
    for step in steps.clone() {
        if let Some(problem) = &step.problem {
            let _ = write!(text, "\nStep {} can't be done: {}", step.number, problem.message);
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
