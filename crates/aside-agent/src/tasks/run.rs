//! Carries a confirmed plan out, step by step; stops at the first difference from what was shown and says which.

use std::{
    collections::HashSet,
    sync::{Arc, MutexGuard, PoisonError},
};

use aside_core::{
    ActionRecord, ActionState, Failure, Outcome, Pause, Phase, Plan, PlanStep, StepState, TaskEvent, TaskId,
    TaskSource, TaskState,
};
use aside_gate::{Call, Confirmed, GateError, Submission, Submitted};

use super::{
    Tasks,
    error::TaskError,
    parts::keep_rejected,
    stored::{Change, StoredTask, change, get},
};

/// A step that is about to be carried out.
struct Claimed {
    step: PlanStep,
    submission: Submission,
    confirmed: Confirmed,
}

/// What comes after a step.
enum After {
    /// The next one, or the end.
    GoOn,
    /// A person has to look at the rest, because of this.
    AskAgain(String),
}

impl Tasks {
    /// Goes on with a task whose plan was confirmed, unless somebody is at it already.
    pub(crate) fn go_on(self: &Arc<Self>, id: &TaskId) {
        if self.running().insert(id.clone()) {
            let (tasks, id) = (self.clone(), id.clone());
            tokio::spawn(async move { tasks.run(&id).await });
        }
    }

    fn running(&self) -> MutexGuard<'_, HashSet<TaskId>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(&self, id: &TaskId) {
        while let Some(claimed) = self.next(id) {
            let Claimed { step, submission, confirmed } = claimed;
            let number = step.number;
            let result = self.gate.run_step(step, submission, confirmed).await;
            if let Err(error) = self.took(id, number, result).await {
                // The next start finds it running and says that it was interrupted.
                tracing::error!(task = %id, %error, "a task was abandoned: cannot write the result of a step");
                self.running().remove(id);
                return;
            }
        }
    }

    /// Takes the next step, or leaves. Both under the lock, so that whoever lets the task go on meanwhile is heard.
    fn next(&self, id: &TaskId) -> Option<Claimed> {
        let mut running = self.running();
        let claimed = self.claim(id).unwrap_or_else(|error| {
            tracing::error!(task = %id, %error, "a task can't continue");
            None
        });
        if claimed.is_none() {
            running.remove(id);
        }
        claimed
    }

    fn claim(&self, id: &TaskId) -> Result<Option<Claimed>, TaskError> {
        let mut claimed = None;
        let stored = get(&self.store, id)?;
        if stored.task.state != TaskState::Running || stored.task.paused.is_some() {
            return Ok(None);
        }
        change(&self.store, id, |change| {
            let stored = &mut change.stored;
            if stored.task.state != TaskState::Running || stored.task.paused.is_some() {
                return Ok(());
            }
            let (submission, parent) = (stored.submission(), stored.planned_by.clone());
            let Some(plan) = &mut stored.plan else { return Ok(()) };
            let hash = plan.hash.clone();
            let Some(step) = plan.steps.iter_mut().find(|step| step.state == StepState::Waiting) else {
                return finish(change);
            };
            step.state = StepState::Running;
            let by = step.approved_by.clone();
            let action = step.action.get_or_insert_with(|| self.gate.new_id()).clone();
            let confirmed = Confirmed { by, task: id.clone(), plan: hash, action, parent };
            claimed = Some(Claimed { step: step.clone(), submission, confirmed });
            let (number, text) = (step.number, words(step));
            change.note_step(Phase::Execute, number, text, None);
            Ok(())
        })?;
        Ok(claimed)
    }

    async fn took(&self, id: &TaskId, number: u32, result: Result<Submitted, GateError>) -> Result<(), TaskError> {
        let mut after = After::GoOn;
        match result {
            Ok(submitted) => {
                change(&self.store, id, |change| {
                    after = settle(change, number, &submitted.record)?;
                    Ok(())
                })?;
            }
            Err(GateError::Differs { reason, .. } | GateError::NotUndoable { reason, .. }) => {
                after = After::AskAgain(format!("step {number} no longer matches its preview: {reason}"));
            }
            Err(error) => {
                change(&self.store, id, |change| {
                    set(change, number, StepState::Waiting);
                    change.stored.task.paused = Some(Pause::Interrupted);
                    change.note_step(Phase::Observe, number, format!("Could not continue: {error}."), None);
                    Ok(())
                })?;
            }
        }
        match after {
            After::GoOn => Ok(()),
            After::AskAgain(reason) => self.ask_again(id, &reason).await,
        }
    }

    /// Shows what is left anew, over the files as they are now, and waits for a person.
    pub(crate) async fn ask_again(&self, id: &TaskId, reason: &str) -> Result<(), TaskError> {
        let stored = get(&self.store, id)?;
        let Some(plan) = &stored.plan else { return Ok(()) };
        let was = plan;
        let mut plan = self.shown_anew(&stored, was).await?;
        say_changed(was, &mut plan);
        change(&self.store, id, |change| {
            if change.stored.task.state.is_final() {
                return Ok(());
            }
            let stopped = format!("{}: {reason}.", stopped_after(&plan));
            change.note(Phase::Observe, stopped.as_str());
            let is_over = plan.next().is_none();
            change.stored.show(plan);
            change.stored.task.summary = Some(stopped);
            change.go(if is_over { TaskEvent::Fail } else { TaskEvent::Ask })
        })?;
        Ok(())
    }

    /// Previews the steps that are not at an end anew. Nobody has said yes to them any more.
    pub(crate) async fn shown_anew(&self, stored: &StoredTask, plan: &Plan) -> Result<Plan, TaskError> {
        let is_open = |step: &&PlanStep| matches!(step.state, StepState::Waiting | StepState::Running);
        let call =
            |step: &PlanStep| Call { number: step.number, request: step.request.clone(), undoes: step.undoes.clone() };
        let calls = plan.steps.iter().filter(is_open).map(call).collect();
        let mut anew = self.gate.foresee(calls, stored.submission()).await?;
        keep_rejected(plan, &mut anew);
        keep_changed(plan, &mut anew);
        let mut steps: Vec<PlanStep> = plan.steps.iter().filter(|step| !is_open(step)).cloned().collect();
        steps.extend(anew.steps);
        steps.sort_by_key(|step| step.number);
        Ok(Plan::new(steps, anew.shown))
    }
}

/// Says at every step that is not what it was why it is not.
pub(super) fn say_changed(before: &Plan, now: &mut Plan) {
    for step in now.steps.iter_mut().filter(|step| step.state == StepState::Waiting) {
        let was = before.steps.iter().find(|was| was.number == step.number);
        let changed = was.and_then(|was| was.difference(&step.risks, &step.assessment, step.preview.as_ref()));
        step.changed = changed.or_else(|| step.changed.take());
    }
}

/// What was said to be otherwise goes on being said, as nobody has said yes to it since.
fn keep_changed(before: &Plan, now: &mut Plan) {
    for step in &mut now.steps {
        let was = before.steps.iter().find(|was| was.number == step.number);
        step.changed = was.and_then(|was| was.changed.clone());
    }
}

fn set<'a>(change: &'a mut Change<'_>, number: u32, state: StepState) -> Option<&'a mut PlanStep> {
    let plan = change.stored.plan.as_mut()?;
    let step = plan.steps.iter_mut().find(|step| step.number == number)?;
    step.state = state;
    Some(step)
}

/// Takes in how a step ended.
fn settle(change: &mut Change<'_>, number: u32, record: &ActionRecord) -> Result<After, TaskError> {
    let state = match record.state {
        // The steps after it may rest on what its command was to do.
        ActionState::Done if record.ran_badly() => StepState::Failed,
        ActionState::Done | ActionState::Undone => StepState::Done,
        ActionState::Refused => StepState::LeftOut,
        ActionState::Failed => StepState::Failed,
        // It ran, and what came of it could not be written down.
        ActionState::Interrupted | ActionState::Running | ActionState::Proposed | ActionState::AwaitingConfirmation => {
            StepState::Interrupted
        }
    };
    let text = ending(record);
    if let Some(step) = set(change, number, state) {
        step.action = Some(record.envelope.id.clone());
        step.outcome.clone_from(&record.outcome);
        if state == StepState::LeftOut {
            step.problem = record.outcome.clone().and_then(failure);
        }
    }
    change.note_step(Phase::Observe, number, text.as_str(), Some(record));
    if change.stored.task.state.is_final() {
        if let Some(summary) = &mut change.stored.task.summary {
            summary.push_str(&format!(" Step {number} was running: {text}"));
        }
        return Ok(After::GoOn);
    }
    match state {
        StepState::Failed => {
            let plan = change.stored.plan.as_ref();
            let stopped = plan.map(stopped_after).unwrap_or_default();
            change.stored.task.summary = Some(format!("{stopped}: step {number} failed: {text}"));
            change.go(TaskEvent::Fail)?;
            Ok(After::GoOn)
        }
        StepState::LeftOut => Ok(After::AskAgain(format!("step {number} was refused: {text}"))),
        StepState::Interrupted => {
            Ok(After::AskAgain(format!("step {number} was interrupted and is not run again; check what it did")))
        }
        _ => Ok(After::GoOn),
    }
}

/// Ends a task all of whose steps are at an end.
fn finish(change: &mut Change<'_>) -> Result<(), TaskError> {
    let summary = change.stored.plan.as_ref().map(summary).unwrap_or_default();
    change.note(Phase::Observe, summary.as_str());
    change.stored.task.summary = Some(summary);
    change.go(TaskEvent::Complete)?;
    let all = change.stored.plan.as_ref().is_some_and(|plan| plan.count(StepState::Done) == plan.steps.len());
    match change.stored.task.source.clone() {
        TaskSource::Undo { task } if all => mark_undone(change, &task),
        _ => Ok(()),
    }
}

/// Notes at a task that it was taken back; if it was an undo itself, what it had taken back counts again.
fn mark_undone(change: &Change<'_>, task: &TaskId) -> Result<(), TaskError> {
    let Some(mut original) = change.other(task)? else { return Ok(()) };
    original.task.undone_by = Some(change.stored.task.id.clone());
    if let TaskSource::Undo { task: before } = &original.task.source
        && let Some(mut before) = change.other(before)?
    {
        before.task.undone_by = None;
        change.put_other(&before)?;
    }
    Ok(change.put_other(&original)?)
}

/// "Did all 3 steps." or "Did 2 of 3 steps. Left out: 2 (denied by policy)."
fn summary(plan: &Plan) -> String {
    let (done, total) = (plan.count(StepState::Done), plan.steps.len());
    if done == total {
        return if total == 1 { "Completed the one step.".to_owned() } else { format!("Completed all {total} steps.") };
    }
    let left = plan.steps.iter().filter(|step| step.state != StepState::Done);
    let why = |step: &PlanStep| match (&step.problem, step.state) {
        (Some(problem), _) => format!("{} ({})", step.number, problem.message),
        (None, StepState::Interrupted) => format!("{} (interrupted)", step.number),
        (None, _) => step.number.to_string(),
    };
    let left: Vec<_> = left.map(why).collect();
    format!("Completed {done} of {total} steps. Not done: {}.", left.join("; "))
}

/// "Stopped after 2 of 5".
pub(crate) fn stopped_after(plan: &Plan) -> String {
    format!("Stopped after {} of {}", plan.count(StepState::Done), plan.steps.len())
}

/// What a step does, in words.
pub(crate) fn words(step: &PlanStep) -> String {
    step.preview.as_ref().map_or_else(|| step.request.action_type.to_string(), |preview| preview.summary.clone())
}

/// How an action ended, in words.
pub(crate) fn ending(record: &ActionRecord) -> String {
    match &record.outcome {
        Some(Outcome::Done { observation }) => first_lines(&observation.text),
        Some(Outcome::Refused { failure, .. } | Outcome::Failed { failure }) => first_lines(&failure.message),
        Some(Outcome::Interrupted { reason }) => first_lines(reason),
        None => "running".to_owned(),
    }
}

/// The beginning of a text; the rest is at the action.
pub(crate) fn first_lines(text: &str) -> String {
    let cut: String = text.chars().take(300).collect();
    if cut.len() < text.len() { format!("{cut} …") } else { cut }
}

fn failure(outcome: Outcome) -> Option<Failure> {
    match outcome {
        Outcome::Refused { failure, .. } | Outcome::Failed { failure } => Some(failure),
        Outcome::Done { .. } | Outcome::Interrupted { .. } => None,
    }
}
