//! A task: a goal with a state. It keeps its id across turns, restarts and hand-offs.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{
    ActionId, ActionName, ActionState, Choice, ObjectRef, Sha256, StepState, TaskId, ThreadId, Timestamp, TurnId,
    WorkspacePath,
};

/// Where a task is in its life.
///
/// ```text
///                      ask                approve: start
///  created --> planned ---> awaiting_confirmation ---> running --> completed
///     |           |  ^---plan---+   ^                  |  |
///     |           +------- start ---|------------------^  +------> failed
///     +--> failed                   +-- ask (a difference, an action) --+
///
///  cancelled: from any state that is not final
/// ```
///
/// That a task is paused is a mark beside the state ([`Task::paused`]): what it would go on with stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// There is a goal.
    Created,
    /// There is a plan: what would be done was found out.
    Planned,
    /// A person has to say yes before it goes on.
    AwaitingConfirmation,
    /// It is being carried out, or is paused in the middle.
    Running,
    /// It did what can be read in its summary.
    Completed,
    /// It could not go on.
    Failed,
    /// A person ended it.
    Cancelled,
}

impl TaskState {
    /// All states.
    pub const ALL: [Self; 7] = [
        Self::Created,
        Self::Planned,
        Self::AwaitingConfirmation,
        Self::Running,
        Self::Completed,
        Self::Failed,
        Self::Cancelled,
    ];

    /// Tells whether nothing more will happen.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }

    /// Returns the state after an event. Total: what is not named here is refused.
    pub fn next(self, event: TaskEvent) -> Result<Self, IllegalTransition> {
        use TaskEvent as E;
        match (self, event) {
            (Self::Created | Self::Planned | Self::AwaitingConfirmation, E::Plan) => Ok(Self::Planned),
            (Self::Planned | Self::Running, E::Ask) => Ok(Self::AwaitingConfirmation),
            (Self::Planned | Self::AwaitingConfirmation, E::Start) => Ok(Self::Running),
            (Self::Running, E::Complete) => Ok(Self::Completed),
            (Self::Created | Self::Running, E::Fail) => Ok(Self::Failed),
            (Self::Created | Self::Planned | Self::AwaitingConfirmation | Self::Running, E::Cancel) => {
                Ok(Self::Cancelled)
            }
            _ => Err(IllegalTransition { from: self, event }),
        }
    }
}

/// What can happen to a task's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskEvent {
    /// What would be done was found out, or found out anew.
    Plan,
    /// A person has to say yes.
    Ask,
    /// It is allowed, or a person has said yes.
    Start,
    /// It is at its end.
    Complete,
    /// It could not go on.
    Fail,
    /// A person ended it.
    Cancel,
}

impl TaskEvent {
    /// All events.
    pub const ALL: [Self; 6] = [Self::Plan, Self::Ask, Self::Start, Self::Complete, Self::Fail, Self::Cancel];
}

/// Says that an event makes no sense in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a task that is {from:?} can't {event:?}")]
pub struct IllegalTransition {
    /// The state.
    pub from: TaskState,
    /// What was to happen.
    pub event: TaskEvent,
}

/// A goal with a state, without its plan and its timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Task {
    /// Its id.
    pub id: TaskId,
    /// What it is for, in the words of whoever asked.
    pub goal: String,
    /// Where it is.
    pub state: TaskState,
    /// Set while it does not go on by itself.
    pub paused: Option<Pause>,
    /// What it was made from.
    pub source: TaskSource,
    /// For whom.
    pub by: String,
    /// The conversation it belongs to, if any.
    pub thread: Option<ThreadId>,
    /// Its turns, in order.
    pub turns: Vec<TurnId>,
    /// Its actions that change something, in the order in which they were asked for.
    pub actions: Vec<ActionId>,
    /// How far it is.
    pub progress: Progress,
    /// What it is about: files and other objects, for the search.
    pub objects: Vec<ObjectRef>,
    /// The kinds of actions it has, for the search.
    pub action_types: Vec<ActionName>,
    /// What came of it, honestly: "Stopped after 2 of 5: …".
    pub summary: Option<String>,
    /// Tells whether any of its actions can be taken back.
    pub can_undo: bool,
    /// The task that took this one back.
    pub undone_by: Option<TaskId>,
    /// When it was made.
    pub created: Timestamp,
    /// When something last happened.
    pub updated: Timestamp,
}

/// What a task was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TaskSource {
    /// A message to an assistant.
    Turn,
    /// A list of requests.
    Plan,
    /// An earlier task, run again.
    Again {
        /// Which one.
        task: TaskId,
    },
    /// A recipe.
    Recipe {
        /// Its name.
        name: String,
    },
    /// A script.
    Script {
        /// Its file, if it came from one.
        path: Option<WorkspacePath>,
        /// The action that started it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        action: Option<ActionId>,
    },
    /// An earlier task, which it takes back.
    Undo {
        /// Which one.
        task: TaskId,
    },
}

/// Why a task does not go on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Pause {
    /// A person said so.
    Person,
    /// The server ended in the middle. It goes on by a person's word only.
    Interrupted,
    /// A turn reached its limit of model calls.
    StepLimit,
}

/// "Step `step` of `of`".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Progress {
    /// The step it is at, from 1; 0 before the first.
    pub step: u32,
    /// How many there are; absent if nobody knows, as in a turn.
    pub of: Option<u32>,
    /// How many are done.
    pub done: u32,
}

/// Where a task is, as people read it: its state, or that the end of the server interrupted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum TaskStatus {
    /// Its state.
    Is(TaskState),
    /// The pause that stands for the state *running*.
    Paused(Pause),
}

impl TaskStatus {
    /// The status of a task.
    pub fn of(task: &Task) -> Self {
        match (task.state, task.paused) {
            (TaskState::Running, Some(Pause::Interrupted)) => Self::Paused(Pause::Interrupted),
            (state, _) => Self::Is(state),
        }
    }
}

/// A step of a plan in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StepLine {
    /// Its number, from 1.
    pub number: u32,
    /// Its action.
    pub action_type: ActionName,
    /// Where it is.
    pub state: StepState,
    /// The kind of action that it takes back, if it is an undo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub undoes: Option<ActionName>,
}

/// What part of the loop an entry of a timeline shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// What is intended, and what a person said to it.
    Plan,
    /// Something is being done.
    Execute,
    /// What came of it.
    Observe,
}

/// One entry of a task's timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TimelineEntry {
    /// When.
    pub at: Timestamp,
    /// Which part of the loop.
    pub phase: Phase,
    /// In a sentence.
    pub text: String,
    /// The step it is about, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub step: Option<u32>,
    /// The action it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub action: Option<ActionId>,
    /// What became of that action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub state: Option<ActionState>,
}

/// A person's answer to a plan that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct TaskDecision {
    /// Yes; or no: with `action_type` or `steps` these steps, or these `parts` of one, are left out and the rest is shown
    /// anew, else the task ends.
    pub decision: Choice,
    /// The hash of the plan that was shown. A yes has to name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hash: Option<Sha256>,
    /// Only the steps of this action. The task starts when every step that can run was said yes to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub action_type: Option<ActionName>,
    /// Only these steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub steps: Option<Vec<u32>>,
    /// Only these parts of what the one step shows that `steps` names. A yes is kept for each; with the yes to the last of
    /// them the step has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parts: Option<Vec<u32>>,
    /// Kept in the timeline, and told to the model whose plan it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One row a state, one column an event, in the order of `ALL`; `-` is illegal.
    const TABLE: [(&str, [&str; 6]); 7] = [
        //                         plan       ask         start      complete     fail      cancel
        ("created", ["planned", "-", "-", "-", "failed", "cancelled"]),
        ("planned", ["planned", "awaiting_confirmation", "running", "-", "-", "cancelled"]),
        ("awaiting_confirmation", ["planned", "-", "running", "-", "-", "cancelled"]),
        ("running", ["-", "awaiting_confirmation", "-", "completed", "failed", "cancelled"]),
        ("completed", ["-"; 6]),
        ("failed", ["-"; 6]),
        ("cancelled", ["-"; 6]),
    ];

    fn word(value: impl Serialize) -> String {
        serde_json::to_value(value).unwrap().as_str().unwrap().to_owned()
    }

    #[test]
    fn every_transition_is_in_the_table_and_every_other_is_refused() {
        for (state, (name, row)) in TaskState::ALL.into_iter().zip(TABLE) {
            assert_eq!(word(state), name);
            for (event, wanted) in TaskEvent::ALL.into_iter().zip(row) {
                match state.next(event) {
                    Ok(next) => assert_eq!(word(next), wanted, "{name} {event:?}"),
                    Err(refused) => {
                        assert_eq!(wanted, "-", "{name} {event:?}");
                        assert_eq!(refused, IllegalTransition { from: state, event });
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_final_stays() {
        for state in TaskState::ALL {
            let stays = TaskEvent::ALL.iter().all(|event| state.next(*event).is_err());
            assert_eq!(state.is_final(), stays, "{state:?}");
        }
    }
}
