//! The words for the life of a tool call, as review cards show them.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{ActionId, ActionName, ActionRecord, ActionState, Outcome, RefusedBy, TurnId};

/// Where a tool call is in its life.
///
/// ```text
///  booting -> init -> waitingForUserInput -> submitted -> completed
///               |              |                 +------> error
///               |              +-> canceled
///               +-> completed | error      (reads never wait)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Lifecycle {
    /// The model called it, and an earlier call of the same message is not at its end.
    Booting,
    /// Its preview is being made, or it reads.
    Init,
    /// Its card waits for *Submit* or *Cancel*.
    WaitingForUserInput,
    /// It writes.
    Submitted,
    /// It is done, for the rows that its outcome names.
    Completed,
    /// It could not be done, or was not allowed.
    Error,
    /// The person canceled it.
    Canceled,
}

impl Lifecycle {
    /// Returns the word for an action; none means that the call is not an action yet.
    pub fn of(record: Option<&ActionRecord>) -> Self {
        let Some(record) = record else { return Self::Booting };
        match (record.state, &record.outcome) {
            (ActionState::Proposed, _) => Self::Init,
            (ActionState::AwaitingConfirmation, _) => Self::WaitingForUserInput,
            (ActionState::Running, _) if record.envelope.risk_level.is_read_only() => Self::Init,
            (ActionState::Running, _) => Self::Submitted,
            (ActionState::Done | ActionState::Undone, _) => Self::Completed,
            (ActionState::Refused, Some(Outcome::Refused { by: RefusedBy::Person, .. })) => Self::Canceled,
            (ActionState::Refused | ActionState::Failed | ActionState::Interrupted, _) => Self::Error,
        }
    }
}

/// A tool call of a thread, as its card is shown: the same before and after a reload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ThreadCard {
    /// The turn.
    pub turn: TurnId,
    /// The model call of the turn, from 1.
    pub step: u32,
    /// The id of the tool call.
    pub call: String,
    /// The action's name as the model wrote it.
    pub name: String,
    /// The action that it became.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub action: Option<ActionId>,
    /// Where it is in its life.
    pub state: Lifecycle,
}

/// Tells whether an action shows a review card: its call waits for those before it, and ends those after it when it is
/// canceled or fails.
pub fn has_review_card(action: &ActionName) -> bool {
    matches!(action.noun(), "note" | "todo")
}
