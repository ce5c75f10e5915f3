//! Takes a whole task back: the ways back of its actions, the last first, as a plan like any other. It is shown whole
//! before anything happens, and is a task that can be taken back itself.

use std::{collections::HashSet, sync::Arc};

use aside_core::{
    ActionId, ActionRecord, Assessment, Outcome, Plan, PlanStep, Ruling, StepState, TaskId, TaskSource, Verdict,
};
use aside_gate::{Call, Submission};
use aside_macros::boxed;

use super::{
    NewTask, TaskDetail, Tasks,
    again::as_request,
    error::TaskError,
    run::{first_lines, words},
    stored::get,
};

impl Tasks {
    /// Plans to take a task back, and waits for a person's yes. Refuses, and says why, if not all of it can be taken
    /// back, unless `partly` is meant. Asked again with its key it is the task that was made then.
    #[boxed]
    pub async fn undo(
        self: &Arc<Self>,
        id: &TaskId,
        submission: Submission,
        partly: Partly,
        key: Option<String>,
    ) -> Result<TaskDetail, TaskError> {
        // Looked up before the ways back: those that were gone are not there again.
        let made = key.as_deref().map(|key| self.made_with(&submission, key)).transpose()?.flatten();
        if let Some(made) = made {
            let is_this = get(&self.store, &made)?.task.source == (TaskSource::Undo { task: id.clone() });
            return if is_this { self.once_planned(&made).await } else { Err(TaskError::KeyReused(made)) };
        }
        let (new, lost) = self.way_back(id)?;
        let new = NewTask { key, ..new };
        if partly == Partly::No {
            let shown = self.dry_run(new.clone(), submission.clone()).await?;
            refuse_half(shown.plan.as_ref(), &lost)?;
        }
        self.create(new, submission).await
    }

    /// Shows what taking a task back would do. If all of it is meant, what left no way back is shown too; if a part is, the
    /// plan is the one that [`Tasks::undo`] would make, with its hash.
    #[boxed]
    pub async fn undo_dry_run(
        &self,
        id: &TaskId,
        submission: Submission,
        partly: Partly,
    ) -> Result<TaskDetail, TaskError> {
        let (new, lost) = self.way_back(id)?;
        let mut shown = self.dry_run(new, submission).await?;
        if let (Partly::No, Some(plan)) = (partly, &mut shown.plan) {
            let first = u32::try_from(plan.steps.len()).unwrap_or(u32::MAX);
            let steps = (first + 1..).zip(lost).map(|(number, record)| left_out(number, record));
            *plan = Plan::new(plan.steps.iter().cloned().chain(steps).collect(), plan.shown);
        }
        Ok(shown)
    }

    /// The ways back, the last action first, and the actions that have none.
    fn way_back(&self, id: &TaskId) -> Result<(NewTask, Vec<ActionRecord>), TaskError> {
        let task = get(&self.store, id)?.task;
        let records = self.records(&task)?;
        let (back, lost) = sorted(records);
        let mut calls = Vec::new();
        for (number, record) in (1..).zip(back) {
            let action = record.envelope.id;
            calls.push(Call { number, request: self.gate.way_back(&action)?, undoes: Some(action) });
        }
        if calls.is_empty() {
            let why = lost.iter().map(|record| format!("{}: {}", record.envelope.action_type, outcome(record)));
            let message = "none of it can be undone".to_owned();
            return Err(TaskError::CantUndo { message, why: why.collect() });
        }
        let goal = format!("Undo: {}", task.goal);
        Ok((NewTask { goal, calls, source: TaskSource::Undo { task: id.clone() }, planned_by: None, key: None }, lost))
    }
}

/// Whether a task may be taken back in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partly {
    /// All or nothing.
    No,
    /// What can be.
    Yes,
}

/// What can be taken back, the last first, and what did something and can't.
fn sorted(mut records: Vec<ActionRecord>) -> (Vec<ActionRecord>, Vec<ActionRecord>) {
    let ids: HashSet<ActionId> = records.iter().map(|record| record.envelope.id.clone()).collect();
    records.retain(|record| {
        let took_back = record.undoes.as_ref().is_some_and(|original| ids.contains(original));
        let done =
            record.state == aside_core::ActionState::Done || record.state == aside_core::ActionState::Interrupted;
        done && !took_back
            && !changed_nothing(record)
            && record.parts.is_empty()
            && !record.envelope.risk_level.is_read_only()
    });
    records.sort_by(|one, two| (two.ended, &two.envelope.id).cmp(&(one.ended, &one.envelope.id)));
    records.into_iter().partition(|record| record.can_undo)
}

/// It left no way back because there is nothing to go back from.
fn changed_nothing(record: &ActionRecord) -> bool {
    matches!(&record.outcome, Some(Outcome::Done { observation }) if observation.unchanged)
}

fn refuse_half(plan: Option<&Plan>, lost: &[ActionRecord]) -> Result<(), TaskError> {
    let cant = plan.into_iter().flat_map(|plan| &plan.steps).filter_map(|step| {
        let problem = step.problem.as_ref()?;
        Some(format!("{}: {}", words(step), first_lines(&problem.message)))
    });
    let gone = lost.iter().map(|record| format!("{}: it can't be undone", record.envelope.action_type));
    let why: Vec<String> = cant.chain(gone).collect();
    if why.is_empty() {
        return Ok(());
    }
    let message = format!("nothing was undone because some of it can't be undone: {}", why.join("; "));
    Err(TaskError::CantUndo { message, why })
}

/// An action without a way back, as a step that will not be done.
fn left_out(number: u32, record: ActionRecord) -> PlanStep {
    let reason = "it can't be undone".to_owned();
    PlanStep {
        number,
        undoes: Some(record.envelope.id.clone()),
        risks: record.envelope.risk_level.clone(),
        verdict: Verdict { ruling: Ruling::Deny, ..record.verdict.clone() },
        assessment: Assessment::default(),
        preview: None,
        leaves: Vec::new(),
        as_if_without: None,
        changed: None,
        problem: Some(aside_core::Failure::new("not_undoable", reason)),
        state: StepState::LeftOut,
        accepted: Vec::new(),
        rejected: Vec::new(),
        approved_by: None,
        action: None,
        outcome: None,
        request: as_request(record),
    }
}

fn outcome(record: &ActionRecord) -> &'static str {
    match record.outcome {
        Some(Outcome::Done { .. }) => "it can't be undone",
        _ => "its outcome is unknown",
    }
}
