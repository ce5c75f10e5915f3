//! A task from requests: there is one as soon as somebody has asked, and it waits for a person when it has a plan.

use std::sync::Arc;

use aside_core::{
    ActionId, ActionRequest, Phase, PlanStep, ReviewMode, Ruling, Sha256, StepState, TaskEvent, TaskId, TaskSource,
    TaskState,
};
use aside_gate::{Call, GateError, Submission};
use aside_macros::boxed;
use aside_store::Durability;
use serde::{Deserialize, Serialize};

use super::{
    TaskDetail, TaskError, Tasks, plan_action,
    stored::{StoredTask, change, put, tell},
};

/// The kind of the records that remember keys.
const KEY: &str = "task_key";
/// Steps of one plan.
const MOST_STEPS: usize = 200;
/// Bytes of a goal.
const LONGEST_GOAL: usize = 2_000;

/// What a task is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTask {
    /// What it is for.
    pub goal: String,
    /// What is to be done, in order.
    pub calls: Vec<Call>,
    /// What it is made from.
    pub source: TaskSource,
    /// The action that made the plan, if one did.
    pub planned_by: Option<ActionId>,
    /// The same key with the same request makes one task.
    pub key: Option<String>,
}

/// What a key was used for.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct UsedKey {
    task: TaskId,
    request: Sha256,
}

impl NewTask {
    /// From requests in order.
    pub fn of(goal: String, requests: Vec<ActionRequest>, source: TaskSource) -> Self {
        let call = |(number, request)| Call { number, request, undoes: None };
        let calls = (1..).zip(requests).map(call).collect();
        Self { goal, calls, source, planned_by: None, key: None }
    }

    fn hash(&self) -> Sha256 {
        let calls: Vec<_> = self.calls.iter().map(|call| (&call.request, &call.undoes)).collect();
        Sha256::of_json(&(&self.goal, calls, &self.source))
    }
}

impl Tasks {
    /// Plans a task and waits for a person's yes, unless it needs none. What can't be done is in the plan with its reason.
    /// The task is there from the beginning, and is planned to the end whether or not somebody still waits for it.
    #[boxed]
    pub async fn create(self: &Arc<Self>, new: NewTask, submission: Submission) -> Result<TaskDetail, TaskError> {
        check(&new)?;
        let stored = self.begun(&new, &submission);
        let id = stored.task.id.clone();
        if let Some(known) = self.keep(stored, &new, &submission)? {
            return self.once_planned(&known).await;
        }
        let (tasks, task) = (Arc::clone(self), id.clone());
        let planned = tokio::spawn(async move { tasks.plan(&task, new.calls, submission).await });
        planned.await.unwrap_or(Err(GateError::Ending.into()))?;
        self.detail(&id)
    }

    /// A task once it is planned.
    pub(super) async fn once_planned(&self, id: &TaskId) -> Result<TaskDetail, TaskError> {
        self.until(id, |task| task.state != TaskState::Created).await?;
        self.detail(id)
    }

    /// Returns the task that was made with a key.
    pub(super) fn made_with(&self, submission: &Submission, key: &str) -> Result<Option<TaskId>, TaskError> {
        let used = self.store.get::<UsedKey>(KEY, scoped(submission, key).as_str())?;
        Ok(used.map(|used| used.task))
    }

    /// Shows what a task would do, and keeps nothing.
    #[boxed]
    pub async fn dry_run(&self, new: NewTask, submission: Submission) -> Result<TaskDetail, TaskError> {
        check(&new)?;
        let mut stored = self.begun(&new, &submission);
        let plan = self.gate.foresee(new.calls, submission).await?;
        stored.task.state = stored.task.state.next(TaskEvent::Plan)?;
        stored.show(plan);
        self.with_actions(stored, Vec::new())
    }

    fn begun(&self, new: &NewTask, submission: &Submission) -> StoredTask {
        let (id, now, goal) = (self.store.new_id(), self.store.now(), new.goal.trim().to_owned());
        let Submission { origin, grant, review, runs, recovered, provenance, typed_hosts, .. } = submission.clone();
        let task = StoredTask::new(id, goal, new.source.clone(), origin, grant, now);
        StoredTask { review, runs, recovered, provenance, typed_hosts, planned_by: new.planned_by.clone(), ..task }
    }

    /// Writes a new task down, unless its key has made one before; returns that.
    fn keep(&self, stored: StoredTask, new: &NewTask, submission: &Submission) -> Result<Option<TaskId>, TaskError> {
        let key = new.key.as_deref().map(|key| scoped(submission, key));
        let (task, request) = (stored.task.id.clone(), new.hash());
        let used = self.store.transaction(Durability::Normal, |transaction| {
            if let Some(key) = &key {
                if let Some(used) = transaction.get::<UsedKey>(KEY, key.as_str())? {
                    return Ok(Some(used));
                }
                transaction.put(KEY, key.as_str(), None, &UsedKey { task, request: request.clone() })?;
            }
            put(transaction, &stored).map(|()| None)
        })?;
        match used {
            None => tell(&self.store, &stored.task),
            Some(used) if used.request != request => return Err(TaskError::KeyReused(used.task)),
            Some(used) => return Ok(Some(used.task)),
        }
        Ok(None)
    }

    /// Finds out what a task would do, and asks, unless its thread makes changes at once and the rules allow every step.
    async fn plan(self: &Arc<Self>, id: &TaskId, calls: Vec<Call>, submission: Submission) -> Result<(), TaskError> {
        let foreseen = self.gate.foresee(calls, submission).await;
        let stored = change(&self.store, id, |change| {
            let plan = match &foreseen {
                // A person has cancelled it meanwhile.
                _ if change.stored.task.state != TaskState::Created => return Ok(()),
                Ok(plan) => plan.clone(),
                Err(error) => {
                    change.stored.task.summary = Some(format!("Planning failed: {error}. Nothing was changed."));
                    return change.go(TaskEvent::Fail);
                }
            };
            change.go(TaskEvent::Plan)?;
            change.note(Phase::Plan, planned_words(plan.steps.len(), plan.count(StepState::Waiting)));
            let possible = plan.next().is_some();
            let at_once = change.stored.review == Some(ReviewMode::AutoApply) && plan.steps.iter().all(is_allowed);
            change.stored.show(plan);
            if !possible {
                change.stored.task.summary = Some("None of its steps can run.".to_owned());
                change.go(TaskEvent::Start)?;
                return change.go(TaskEvent::Fail);
            }
            if at_once {
                change.note(Phase::Plan, "Its thread applies changes without approval.");
                return change.go(TaskEvent::Start);
            }
            change.go(TaskEvent::Ask)
        })?;
        if stored.task.state == TaskState::Running {
            self.go_on(id);
        }
        if stored.grant.can_end() {
            self.planned.send_replace(());
        }
        foreseen.map(drop).map_err(TaskError::from)
    }
}

/// A key belongs to a person, and to the grant under which it is used.
fn scoped(submission: &Submission, key: &str) -> Sha256 {
    Sha256::of_json(&(submission.origin.user(), &submission.grant.id, key))
}

fn is_allowed(step: &PlanStep) -> bool {
    step.state == StepState::Waiting && step.verdict.ruling == Ruling::Allow
}

fn check(new: &NewTask) -> Result<(), TaskError> {
    let invalid = |message: &str| Err(TaskError::Invalid(message.to_owned()));
    match (new.goal.trim(), new.calls.len()) {
        ("", _) => invalid("a task needs a goal"),
        (goal, _) if goal.len() > LONGEST_GOAL => invalid("the goal is longer than 2,000 bytes"),
        (_, 0) => invalid("a task needs at least one step"),
        _ if new.calls.iter().any(|call| call.request.action_type.as_str() == plan_action::NAME) => {
            invalid("a plan can't be a step of a plan")
        }
        (_, steps) if steps > MOST_STEPS => invalid("a task has at most 200 steps"),
        _ => Ok(()),
    }
}

fn planned_words(steps: usize, possible: usize) -> String {
    let steps_words = if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
    match steps - possible {
        0 => format!("Planned {steps_words}."),
        left => format!("Planned {steps_words}, of which {left} can't or may not run."),
    }
}
