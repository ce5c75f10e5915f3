//! The calls of a message behind a review card that was canceled or failed: they are dropped.

use super::{CallState, Reacting};

/// Words about a review card that the person canceled. They end the turn: the model is not called.
pub(super) const CANCELED: &str = "The user canceled this change. Don't ask for it again unless the user does.";

/// Words about the calls of a message behind a review card that was canceled or failed.
pub(crate) const DROPPED: &str =
    "Dropped: an earlier call of the same message was canceled or failed. Nothing was changed.";

impl Reacting<'_> {
    /// Drops the calls of this message that were not asked for yet.
    pub(super) fn drop_rest(&mut self) {
        let rest = self.turn().calls.iter().filter(|(_, state)| *state == CallState::Unasked);
        let rest: Vec<String> = rest.map(|(call, _)| call.id.clone()).collect();
        rest.into_iter().for_each(|call| self.notice(Some(call), DROPPED));
    }
}
