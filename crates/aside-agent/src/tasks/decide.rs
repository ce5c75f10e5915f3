//! What a person says to a task: yes or no to its plan, pause, go on, end it.

use std::{collections::BTreeSet, sync::Arc};

use aside_core::{
    ActionState, Choice, Decision, Failure, Pause, Phase, Plan, PlanStep, StepState, TaskDecision, TaskEvent, TaskId,
    TaskState,
};
use aside_macros::boxed;

use crate::Message;

use super::{
    TaskDetail, Tasks,
    error::TaskError,
    parts,
    run::{say_changed, stopped_after, words},
    script::is_script,
    stored::{Change, StoredTask, change, get},
};

/// After a week a person is shown a plan again before it runs.
const SHOWN_FOR: i64 = 7 * 24 * 60 * 60 * 1000;
/// The problem of a step that a person does not want.
pub(super) const LEFT_OUT: &str = "left_out";
/// What goes to a model when a person lets its task go on.
const GO_ON: &str = "Continue.";

impl Tasks {
    /// Takes a person's answer to a plan. With the last yes that it needs the task starts.
    ///
    /// `by` is the person. Never call this for a model.
    #[boxed]
    pub async fn decide(
        self: &Arc<Self>,
        id: &TaskId,
        decision: &TaskDecision,
        by: &str,
    ) -> Result<TaskDetail, TaskError> {
        let stored = get(&self.store, id)?;
        let plan = waiting(&stored)?;
        if let Some(stale) = not_shown(plan, decision) {
            return Err(TaskError::Stale(stale));
        }
        if self.store.now() >= plan.shown.plus(SHOWN_FOR) {
            self.show_again(id, &stored, plan.clone(), None).await?;
            return Err(TaskError::Stale("the plan was shown more than a week ago; here is a new preview".to_owned()));
        }
        let chosen = chosen(plan, decision)?;
        let parts = parts::chosen(plan, decision)?;
        match (decision.decision, parts) {
            (Choice::Approve, parts) => self.approve(id, decision, (&chosen, parts.as_deref()), by)?,
            (Choice::Reject, Some(parts)) => {
                self.take_out(id, &stored, (plan, chosen[0], &parts), decision, by).await?
            }
            (Choice::Reject, None) if is_whole(decision) => self.reject(id, decision, by)?,
            (Choice::Reject, None) => self.leave_out(id, &stored, (plan, &chosen), decision, by).await?,
        }
        self.go_on(id);
        self.detail(id)
    }

    /// Lets a task wait after the step that is being carried out.
    pub fn pause(&self, id: &TaskId, by: &str) -> Result<TaskDetail, TaskError> {
        if is_script(&get(&self.store, id)?) {
            return self.pause_script(id, by);
        }
        let stored = change(&self.store, id, |change| {
            let task = &mut change.stored.task;
            if task.state != TaskState::Running || task.paused.is_some() {
                return Err(TaskError::NotNow("only a running task can be paused".to_owned()));
            }
            task.paused = Some(Pause::Person);
            change.note(Phase::Plan, format!("{by} paused it."));
            Ok(())
        })?;
        if let (None, Some(thread)) = (&stored.plan, &stored.task.thread) {
            self.agents.stop(thread);
        }
        self.detail(id)
    }

    /// Lets a paused task go on. Each step is still held against what was shown.
    #[boxed]
    pub async fn resume(self: &Arc<Self>, id: &TaskId, by: &str) -> Result<TaskDetail, TaskError> {
        let stored = get(&self.store, id)?;
        if is_script(&stored) {
            return self.resume_script(id, by);
        }
        if stored.task.paused.is_none() || stored.task.state.is_final() {
            return Err(TaskError::NotNow("the task is not paused".to_owned()));
        }
        if let (None, Some(thread)) = (&stored.plan, &stored.task.thread) {
            // The turn that starts takes the mark away.
            let under = Some(stored.grant.clone());
            self.agents.start_turn(thread, Message::new(GO_ON, None), by, under).await?;
            self.catch_up(thread)?;
            return self.detail(id);
        }
        change(&self.store, id, |change| {
            change.stored.task.paused = None;
            change.note(Phase::Plan, format!("{by} resumed it."));
            Ok(())
        })?;
        self.go_on(id);
        self.detail(id)
    }

    /// Ends a task. What is done stays done; what waits is rejected; a running program is stopped.
    #[boxed]
    pub async fn cancel(&self, id: &TaskId, by: &str) -> Result<TaskDetail, TaskError> {
        let stored = change(&self.store, id, |change| cancelled(change, by))?;
        if is_script(&stored) {
            return self.cancel_script(id, by).await;
        }
        if let (None, Some(thread)) = (&stored.plan, &stored.task.thread) {
            self.agents.stop(thread);
        }
        // A step that was taken up may be looked at only, and then it does not begin.
        let is_begun = |step: &&PlanStep| step.state == StepState::Running;
        let steps = stored.plan.iter().flat_map(|plan| plan.steps.iter().filter(is_begun));
        let mut running: BTreeSet<_> = steps.filter_map(|step| step.action.clone()).collect();
        for record in self.records(&stored.task)? {
            let action = &record.envelope.id;
            match record.state {
                ActionState::AwaitingConfirmation => {
                    let decision = Decision {
                        hash: record.approval_hash.clone(),
                        ..Decision::reject(Some("the task was cancelled".to_owned()))
                    };
                    // It may have been decided a moment ago, which is as good.
                    let _ = self.gate.decide(action, decision, by).await;
                }
                ActionState::Running => _ = running.insert(action.clone()),
                _ => {}
            }
        }
        for action in running {
            // It may have ended a moment ago.
            _ = self.gate.stop(&action, by).await;
        }
        self.detail(id)
    }

    fn approve(
        &self,
        id: &TaskId,
        decision: &TaskDecision,
        (chosen, parts): (&[u32], Option<&[u32]>),
        by: &str,
    ) -> Result<(), TaskError> {
        change(&self.store, id, |change| {
            let plan = waiting(&change.stored)?;
            // Somebody may have been faster.
            if let Some(stale) = not_shown(plan, decision) {
                return Err(TaskError::Stale(stale));
            }
            let Some(plan) = &mut change.stored.plan else { return Ok(()) };
            for step in plan.steps.iter_mut().filter(|step| chosen.contains(&step.number)) {
                match parts {
                    Some(parts) => parts::accept(step, parts),
                    None => step.approved_by = Some(by.to_owned()),
                }
            }
            for step in plan.steps.iter_mut().filter(|step| is_open(step) && parts::are_all_accepted(step)) {
                step.approved_by = Some(by.to_owned());
            }
            let open = plan.steps.iter().filter(|step| is_open(step)).count();
            if open > 0 {
                let what = parts.map(|parts| format!("{} of ", parts::counted(parts.len()))).unwrap_or_default();
                change.note(Phase::Plan, format!("{by} approved {what}{}; {open} still open.", listed(chosen)));
                return Ok(());
            }
            let reason = decision.reason.as_ref().map(|reason| format!(" {reason}")).unwrap_or_default();
            change.note(Phase::Plan, format!("{by} approved it.{reason}"));
            change.stored.task.summary = None;
            change.go(TaskEvent::Start)
        })?;
        Ok(())
    }

    fn reject(&self, id: &TaskId, decision: &TaskDecision, by: &str) -> Result<(), TaskError> {
        change(&self.store, id, |change| {
            waiting(&change.stored)?;
            let why = decision.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
            change.say(format!("{by} rejected it{why}"));
            cancelled(change, by)
        })?;
        Ok(())
    }

    /// Without some steps others may do something else, so all are shown anew.
    async fn leave_out(
        &self,
        id: &TaskId,
        stored: &StoredTask,
        (plan, chosen): (&Plan, &[u32]),
        decision: &TaskDecision,
        by: &str,
    ) -> Result<(), TaskError> {
        let mut plan = plan.clone();
        let mut said = Vec::new();
        for step in plan.steps.iter_mut().filter(|step| chosen.contains(&step.number)) {
            leave(step, by);
            said.push(format!("step {} ({})", step.number, words(step)));
        }
        let said = format!("{by} rejected {}.{}", said.join(", "), why(decision));
        self.show_again(id, stored, plan, Some(said)).await
    }

    /// Shows what is left anew, and says what was said to it. What a person said yes to part by part, and is shown as it
    /// was, needs no second one.
    pub(super) async fn show_again(
        &self,
        id: &TaskId,
        stored: &StoredTask,
        plan: Plan,
        said: Option<String>,
    ) -> Result<(), TaskError> {
        let before = plan.hash.clone();
        let was = plan;
        let mut plan = self.shown_anew(stored, &was).await?;
        match said {
            Some(_) => parts::keep_accepted(&was, &mut plan),
            None => say_changed(&was, &mut plan),
        }
        change(&self.store, id, |change| {
            if waiting(&change.stored)?.hash != before {
                return Err(TaskError::Stale("the plan was changed meanwhile".to_owned()));
            }
            change.go(TaskEvent::Plan)?;
            said.into_iter().for_each(|said| change.say(said));
            change.note(Phase::Plan, "The rest is previewed again.");
            let is_over = plan.next().is_none();
            change.stored.show(plan);
            change.go(if is_over { TaskEvent::Cancel } else { TaskEvent::Ask })
        })?;
        Ok(())
    }
}

/// It is not done, because a person does not want it.
pub(super) fn leave(step: &mut PlanStep, by: &str) {
    step.state = StepState::LeftOut;
    step.problem = Some(Failure::new(LEFT_OUT, format!("{by} rejected it")));
}

/// What a person said to it, after a sentence.
pub(super) fn why(decision: &TaskDecision) -> String {
    decision.reason.as_ref().map(|reason| format!(" Reason: {reason}")).unwrap_or_default()
}

fn cancelled(change: &mut Change<'_>, by: &str) -> Result<(), TaskError> {
    change.go(TaskEvent::Cancel)?;
    let done = match &change.stored.plan {
        Some(plan) => stopped_after(plan),
        None => "Stopped".to_owned(),
    };
    change.stored.task.paused = None;
    let summary = format!("{done}: cancelled by {by}.");
    change.note(Phase::Observe, summary.as_str());
    change.stored.task.summary = Some(summary);
    Ok(())
}

fn waiting(stored: &StoredTask) -> Result<&Plan, TaskError> {
    match (&stored.plan, stored.task.state) {
        (Some(plan), TaskState::AwaitingConfirmation) => Ok(plan),
        (None, TaskState::AwaitingConfirmation) => {
            Err(TaskError::NotNow("its actions wait for separate decisions: decide those".to_owned()))
        }
        _ => Err(TaskError::NotNow("the task is not waiting for a decision".to_owned())),
    }
}

fn not_shown(plan: &Plan, decision: &TaskDecision) -> Option<String> {
    match (&decision.hash, decision.decision) {
        (Some(hash), _) if *hash != plan.hash => Some("the plan was replaced by a newer one".to_owned()),
        (None, Choice::Approve) => Some("an approval must name the hash of the reviewed plan".to_owned()),
        (None, _) if decision.parts.is_some() => {
            Some("a decision about parts must name the hash of the reviewed plan".to_owned())
        }
        _ => None,
    }
}

fn is_whole(decision: &TaskDecision) -> bool {
    decision.action_type.is_none() && decision.steps.is_none()
}

fn is_open(step: &PlanStep) -> bool {
    step.state == StepState::Waiting && step.approved_by.is_none()
}

/// The numbers of the steps that a decision is about.
fn chosen(plan: &Plan, decision: &TaskDecision) -> Result<Vec<u32>, TaskError> {
    let open = || plan.steps.iter().filter(|step| step.state == StepState::Waiting);
    if let Some(unknown) = decision.steps.iter().flatten().find(|number| open().all(|step| step.number != **number)) {
        return Err(TaskError::Invalid(format!("step {unknown} is not waiting")));
    }
    let chosen: Vec<u32> = open()
        .filter(|step| decision.steps.as_ref().is_none_or(|steps| steps.contains(&step.number)))
        .filter(|step| decision.action_type.as_ref().is_none_or(|action| step.request.action_type == *action))
        .map(|step| step.number)
        .collect();
    if chosen.is_empty() { Err(TaskError::Invalid("no waiting step matches".to_owned())) } else { Ok(chosen) }
}

/// "step 2", "steps 1, 3".
fn listed(steps: &[u32]) -> String {
    let numbers: Vec<_> = steps.iter().map(u32::to_string).collect();
    format!("step{} {}", if steps.len() == 1 { "" } else { "s" }, numbers.join(", "))
}
