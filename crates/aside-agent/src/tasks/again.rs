//! What a task did, as requests for another day: to be run again with edits, or kept as a recipe.

use std::collections::{BTreeMap, HashSet};

use aside_core::{
    ActionId, ActionRecord, ActionRequest, ActionState, Envelope, Outcome, Plan, PlanStep, TaskId, TaskSource,
};
use aside_gate::Submission;

use super::{
    NewTask, Tasks,
    decide::LEFT_OUT,
    error::TaskError,
    stored::{StoredTask, get},
};

impl Tasks {
    /// Returns a task that does what an earlier one did; with other requests or another goal where they are given. What
    /// the earlier one was made from is in it too.
    pub fn again(
        &self,
        id: &TaskId,
        requests: Option<Vec<ActionRequest>>,
        goal: Option<String>,
        submission: Submission,
    ) -> Result<(NewTask, Submission), TaskError> {
        let stored = get(&self.store, id)?;
        let requests = match requests {
            Some(requests) => requests,
            None => self.planned_or_done(&stored)?,
        };
        let mut provenance = submission.provenance;
        provenance.join(&stored.provenance);
        self.done(&stored)?.iter().for_each(|record| provenance.join(&record.provenance));
        let new = NewTask::of(goal.unwrap_or(stored.task.goal), requests, TaskSource::Again { task: id.clone() });
        Ok((new, Submission { provenance, ..submission }))
    }

    /// Returns what a task asks for when it is run again without edits: what a person who wants to edit starts from.
    pub fn to_run_again(&self, id: &TaskId) -> Result<Vec<ActionRequest>, TaskError> {
        self.planned_or_done(&get(&self.store, id)?)
    }

    /// The requests of a plan without those that a person has left out, or else what was done.
    fn planned_or_done(&self, stored: &StoredTask) -> Result<Vec<ActionRequest>, TaskError> {
        match &stored.plan {
            Some(plan) => self.requests(stored, wanted(plan).map(|step| step.request.clone()).collect()),
            None => self.requests(stored, self.done(stored)?.into_iter().map(as_request).collect()),
        }
    }

    /// Returns requests of a task as they are asked for another day.
    pub(crate) fn requests(
        &self,
        stored: &StoredTask,
        requests: Vec<ActionRequest>,
    ) -> Result<Vec<ActionRequest>, TaskError> {
        if let TaskSource::Undo { .. } = stored.task.source {
            let message = "this task undid another task: undo it, or run that task again".to_owned();
            return Err(TaskError::NotNow(message));
        }
        if requests.is_empty() {
            return Err(TaskError::NotNow("this task completed no steps that could run again".to_owned()));
        }
        Ok(requests.iter().map(|request| self.gate.again(request)).collect())
    }

    /// What a task really did, in order, without what took something of it back. What was taken back since does not
    /// count, unless all of it was.
    pub(crate) fn done(&self, stored: &StoredTask) -> Result<Vec<ActionRecord>, TaskError> {
        let ids: HashSet<&ActionId> = stored.acted.iter().map(|acted| &acted.id).collect();
        let mut done = self.records(&stored.task)?;
        done.retain(|record| {
            let took_back = record.undoes.as_ref().is_some_and(|original| ids.contains(original));
            // A whole whose parts were decided one by one stands for nothing: its parts are there.
            record.outcome.as_ref().is_some_and(Outcome::is_done) && record.parts.is_empty() && !took_back
        });
        if done.iter().any(|record| record.state != ActionState::Undone) {
            done.retain(|record| record.state != ActionState::Undone);
        }
        done.sort_by_key(|record| (record.ended, record.envelope.id.clone()));
        Ok(done)
    }
}

/// The steps that a person did not leave out; all of them if that is none.
fn wanted(plan: &Plan) -> impl Iterator<Item = &PlanStep> {
    let is_wanted = |step: &&PlanStep| step.problem.as_ref().is_none_or(|problem| problem.code != LEFT_OUT);
    let any = plan.steps.iter().any(|step| is_wanted(&step));
    plan.steps.iter().filter(move |step| !any || is_wanted(step))
}

/// What a record asked for; its target is among its arguments.
pub(crate) fn as_request(record: ActionRecord) -> ActionRequest {
    let Envelope { action_type, args, .. } = record.envelope;
    ActionRequest { target: BTreeMap::new(), ..ActionRequest::new(action_type, args) }
}
