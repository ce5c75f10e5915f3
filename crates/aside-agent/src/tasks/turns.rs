//! The tasks of one thread, folded from its log: one for each turn that changes something. A turn that was not at its
//! end is continued by the next one, under the same task.

use aside_core::{
    ActionId, ActionRecord, ActionState, Grant, Origin, Pause, TaskEvent, TaskId, TaskSource, TaskState, ThreadEvent,
    ThreadEventBody, TurnEnd, TurnId,
};
use serde::{Deserialize, Serialize};

use super::stored::{Acted, StoredTask};
use crate::title::title_of;

/// How far a thread's log was followed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Followed {
    /// Position of the last entry that mattered.
    pub seq: u64,
    /// The turn that is not over and has changed nothing yet.
    turn: Option<Begun>,
}

/// A turn that may become a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Begun {
    turn: TurnId,
    text: String,
}

/// What an entry of the log may change.
pub(crate) struct Folding<'a> {
    pub followed: &'a mut Followed,
    /// The thread's tasks that come from turns, the oldest first.
    pub tasks: &'a mut Vec<StoredTask>,
    /// What whoever asked for an action may do.
    pub grant_of: &'a dyn Fn(&ActionId) -> Option<Grant>,
    /// An id in case one is needed.
    pub new_id: TaskId,
}

impl Folding<'_> {
    /// Takes in an entry; returns the position of the task that is different now.
    pub fn take_in(&mut self, event: &ThreadEvent) -> Option<usize> {
        self.followed.seq = event.seq;
        match &event.body {
            ThreadEventBody::TurnStarted { turn, text, .. } => self.started(turn, text),
            ThreadEventBody::ActionChanged { record } => self.acted(event, record),
            ThreadEventBody::TurnEnded { turn, end, .. } => self.ended(turn, end),
            _ => None,
        }
    }

    fn started(&mut self, turn: &TurnId, text: &str) -> Option<usize> {
        let open = self.tasks.iter().rposition(|stored| stored.task.paused.is_some() && !stored.task.state.is_final());
        let Some(at) = open else {
            self.followed.turn = Some(Begun { turn: turn.clone(), text: text.to_owned() });
            return None;
        };
        self.followed.turn = None;
        let stored = &mut self.tasks[at];
        stored.task.turns.push(turn.clone());
        stored.task.paused = None;
        stored.task.summary = None;
        stored.over = false;
        Some(at)
    }

    fn acted(&mut self, event: &ThreadEvent, record: &ActionRecord) -> Option<usize> {
        let Origin::Turn { turn, .. } = &record.origin else { return None };
        if record.envelope.risk_level.is_read_only() || record.state == ActionState::Proposed || is_step(record) {
            return None;
        }
        let at = self.of(turn).or_else(|| self.begin(event, turn, record))?;
        let stored = &mut self.tasks[at];
        let acted = Acted { id: record.envelope.id.clone(), state: record.told_state(), undoes: record.undoes.clone() };
        match stored.acted.iter_mut().find(|known| known.id == acted.id) {
            Some(known) => *known = acted,
            None => stored.acted.push(acted),
        }
        stored.about(&record.envelope.action_type, &record.assessment.targets);
        follow_state(stored);
        Some(at)
    }

    fn of(&self, turn: &TurnId) -> Option<usize> {
        self.tasks.iter().position(|stored| stored.task.turns.contains(turn))
    }

    fn begin(&mut self, event: &ThreadEvent, turn: &TurnId, record: &ActionRecord) -> Option<usize> {
        let grant = (self.grant_of)(&record.envelope.id)?;
        let begun = self.followed.turn.take_if(|begun| begun.turn == *turn)?;
        let mut stored = StoredTask::new(
            self.new_id.clone(),
            title_of(&begun.text),
            TaskSource::Turn,
            record.origin.clone(),
            grant,
            event.at,
        );
        stored.task.turns.push(turn.clone());
        stored.task.state = stored.task.state.next(TaskEvent::Plan).ok()?;
        self.tasks.push(stored);
        Some(self.tasks.len() - 1)
    }

    fn ended(&mut self, turn: &TurnId, end: &TurnEnd) -> Option<usize> {
        self.followed.turn.take_if(|begun| begun.turn == *turn);
        let at = self.of(turn)?;
        let stored = &mut self.tasks[at];
        if stored.task.state.is_final() {
            return None;
        }
        match end {
            TurnEnd::Done => stored.over = true,
            TurnEnd::Stopped if stored.is_paused_by(Pause::Person) => {}
            TurnEnd::Stopped => conclude(stored, TaskEvent::Cancel, "Stopped by the user."),
            TurnEnd::StepLimit { steps } => {
                stored.task.paused = Some(Pause::StepLimit);
                let made = made(stored);
                stored.task.summary = Some(format!(
                    "Stopped after {steps} steps, the limit. So far: {made} Resume it to continue with the rest."
                ));
            }
            TurnEnd::OutOfBudget { left, .. } => {
                stored.task.paused = Some(Pause::StepLimit);
                let left = left.as_deref().map(|left| format!(" Left: {left}")).unwrap_or_default();
                stored.task.summary =
                    Some(format!("The budget is used up. {}{left} Resume it to continue with the rest.", made(stored)));
            }
            TurnEnd::HandOff { offer } => {
                conclude(stored, TaskEvent::Fail, &format!("Needs the coding agent: {}.", offer.reason));
            }
            TurnEnd::Interrupted => {
                stored.task.paused = Some(Pause::Interrupted);
                stored.task.summary = Some(format!("The server stopped before the end. {}", made(stored)));
            }
            TurnEnd::Failed { failure } => conclude(stored, TaskEvent::Fail, &failure.message),
        }
        follow_state(stored);
        Some(at)
    }
}

/// Steps of a plan that the turn proposed belong to the plan's own task.
fn is_step(record: &ActionRecord) -> bool {
    record.envelope.audit_context.as_ref().is_some_and(|context| context["task"].is_string())
}

/// Brings the state to where the actions are.
fn follow_state(stored: &mut StoredTask) {
    if stored.task.state.is_final() {
        return;
    }
    let waits = stored.acted.iter().any(|acted| acted.state == ActionState::AwaitingConfirmation);
    let runs = stored.acted.iter().any(|acted| acted.state == ActionState::Running);
    match (waits, stored.over && !runs) {
        (true, _) => toward(stored, TaskState::AwaitingConfirmation),
        (false, false) => toward(stored, TaskState::Running),
        (false, true) => conclude(stored, TaskEvent::Complete, ""),
    }
}

/// Ends a task, with what was made of it.
fn conclude(stored: &mut StoredTask, event: TaskEvent, why: &str) {
    if event != TaskEvent::Cancel {
        toward(stored, TaskState::Running);
    }
    if let Ok(state) = stored.task.state.next(event) {
        stored.task.state = state;
        stored.task.paused = None;
        let summary = [why, &made(stored)].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
        stored.task.summary = Some(summary);
    }
}

/// Waiting and running lead to each other, and planned to both.
fn toward(stored: &mut StoredTask, wanted: TaskState) {
    let event = if wanted == TaskState::Running { TaskEvent::Start } else { TaskEvent::Ask };
    if stored.task.state != wanted
        && let Ok(state) = stored.task.state.next(event)
    {
        stored.task.state = state;
    }
}

/// "Made 2 of 3 changes."
fn made(stored: &StoredTask) -> String {
    let count = |wanted: &[ActionState]| stored.acted.iter().filter(|acted| wanted.contains(&acted.state)).count();
    let (done, undone) = (count(&[ActionState::Done]), count(&[ActionState::Undone]));
    let (refused, failed) = (count(&[ActionState::Refused]), count(&[ActionState::Failed, ActionState::Interrupted]));
    let mut text = match (done, stored.acted.len()) {
        (done, total) if done == total && total == 1 => "Made the one change.".to_owned(),
        (done, total) if done == total => format!("Made all {total} changes."),
        (done, total) => format!("Made {done} of {total} changes."),
    };
    for (count, what) in [(refused, "rejected or not allowed"), (failed, "failed"), (undone, "undone")] {
        if count > 0 {
            text.push_str(&format!(" {count} {what}."));
        }
    }
    text
}
