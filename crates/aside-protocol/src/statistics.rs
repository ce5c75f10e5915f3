//! `statistics`: how well Aside serves, counted from the activity log and the tasks of this workspace.

use aside_core::{ActionName, Risk, TS, Timestamp};
use serde::{Deserialize, Serialize};

/// The way that a sentence took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SentenceWay {
    /// Rules understood it, and the person took that.
    Rules,
    /// A model reads it.
    Model,
    /// Its quick task was handed on to a thread.
    Thread,
}

/// Counts a sentence. Its words are not part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct CountSentence {
    /// The way that it took.
    pub way: SentenceWay,
    /// The actions that rules understood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<ActionName>>", optional)]
    pub actions: Vec<ActionName>,
}

/// The time that is asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindStatistics {
    /// The number of days, 30 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<u32>,
}

/// How well Aside serves in this workspace. Nothing of it leaves this machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Statistics {
    /// The number of days that are counted.
    pub days: u32,
    /// The beginning of these days.
    pub from: Timestamp,
    /// From the first entry of the activity log to the first success that was asked for in words, in milliseconds; absent
    /// while there is none. Not limited to the days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(as = "Option<f64>", optional)]
    pub first_success: Option<i64>,
    /// The sentences from the palette, the launcher and `aside ask`.
    pub sentences: SentenceCounts,
    /// The actions that ended, by their gravest risk.
    pub classes: Vec<ClassCounts>,
    /// The tasks that ended.
    pub tasks: TaskCounts,
    /// The questions to the person.
    pub confirmations: ConfirmationCounts,
    /// The actions that were refused.
    pub refusals: RefusalCounts,
    /// The actions that were undone.
    pub undos: UndoCounts,
}

/// Sentences by the way that they took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SentenceCounts {
    /// Sentences that rules understood.
    pub rules: u32,
    /// Sentences that a model read.
    pub model: u32,
    /// Quick tasks that were handed on to a thread.
    pub handed_on: u32,
    /// The actions that rules understood, the most frequent first.
    pub actions: Vec<ActionCount>,
}

/// An action and its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ActionCount {
    /// The action.
    pub action: ActionName,
    /// How often.
    pub count: u32,
}

/// The ends of the actions of one class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ClassCounts {
    /// The gravest risk; absent for actions that change only the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub risk: Option<Risk>,
    /// Actions that did as asked.
    pub done: u32,
    /// Actions that failed, or whose command failed.
    pub failed: u32,
    /// Refused actions.
    pub refused: u32,
    /// Actions that a stop of the server cut off.
    pub interrupted: u32,
}

/// The ends of tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TaskCounts {
    /// Completed.
    pub completed: u32,
    /// Failed.
    pub failed: u32,
    /// Cancelled by the person.
    pub cancelled: u32,
}

/// Questions to the person, and the answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConfirmationCounts {
    /// Actions that asked.
    pub asked: u32,
    /// Requests that were approved, wholly or partly.
    pub approved: u32,
    /// Rejected requests.
    pub rejected: u32,
    /// The median time to the answer, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(as = "Option<f64>", optional)]
    pub median_wait: Option<i64>,
}

/// Refused actions, by the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RefusalCounts {
    /// A permission rule.
    pub policy: u32,
    /// The grant of the program.
    pub grant: u32,
    /// The person.
    pub person: u32,
    /// Wrong arguments, or an unknown action.
    pub request: u32,
}

/// Undone actions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UndoCounts {
    /// Undone within a minute: probably a mistake.
    pub within_minute: u32,
    /// Undone later.
    pub later: u32,
}
