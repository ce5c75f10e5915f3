//! The steps of the Navigator that other agents don't have: it looks actions up before it runs them, reads several things at
//! once, keeps to a time, and offers to hand work over.

use std::time::Duration;

use aside_core::{ActionRequest, Descriptor, ThreadId, ToolCall, TurnId, UndoSupport};
use aside_store::{Store, StoreError};
use futures_util::future::join_all;
use tokio::time::timeout;

use super::{Drive, PATIENCE, taken_in};
use crate::{
    hand_off::{is_hand_off, offer},
    known_actions::known_actions,
    live::stopped,
    turn::{CallState, Input},
};

/// By the id of a turn the milliseconds that it has worked, where these are limited.
const WORKED: &str = "turn_worked";

/// Returns the time that a turn worked before a restart.
pub(crate) fn worked_before(store: &Store, turn: &TurnId) -> Duration {
    Duration::from_millis(store.get(WORKED, turn.as_str()).ok().flatten().unwrap_or_default())
}

fn keep_worked(store: &Store, (thread, turn): (&ThreadId, &TurnId), worked: Duration) -> Result<(), StoreError> {
    let millis = u64::try_from(worked.as_millis()).unwrap_or(u64::MAX);
    store.put(WORKED, turn.as_str(), Some(thread.as_str()), &millis)
}

impl Drive {
    /// Adds to the time of work, and keeps it for a restart where it is limited.
    pub(super) fn add_work(&mut self, more: Duration) {
        self.worked += more;
        if self.minutes.is_some()
            && let Err(error) = keep_worked(&self.store, (&self.thread, &self.turn), self.worked)
        {
            tracing::warn!(%error, turn = %self.turn, "the time of a turn is not kept");
        }
    }

    /// Tells whether the turn has worked for its time, and was not told so yet.
    pub(super) fn is_time_up(&self) -> bool {
        let is_told = self.state.turn.as_ref().is_some_and(|turn| turn.last.is_some());
        let most = self.minutes.map(|minutes| Duration::from_secs(u64::from(minutes) * 60));
        !is_told && most.is_some_and(|most| self.worked >= most)
    }

    /// Takes a call that is no single request for an action: a hand-off, an action that was not looked up, or the first of
    /// several reads.
    pub(super) async fn navigate(&mut self, call: &ToolCall) -> Option<Input> {
        if let Some(known) = self.ahead.remove(&call.id) {
            return Some(known);
        }
        self.ahead.clear();
        if is_hand_off(call) {
            return Some(self.hand_off(call));
        }
        if let Ok(request) = self.tools().request(call)
            && let Err(text) = self.check_looked_up(&request)
        {
            return Some(Input::NotAsked { call: call.id.clone(), text });
        }
        let reads = self.reads_from(call);
        if reads.len() < 2 {
            return None;
        }
        Some(self.read_together(reads).await)
    }

    fn hand_off(&self, call: &ToolCall) -> Input {
        let turn = self.state.turn.as_ref();
        let touched = turn.map(|turn| turn.touched.clone()).unwrap_or_default();
        let waiting = turn.map(|turn| turn.awaiting.keys().cloned().collect()).unwrap_or_default();
        match offer(call, &touched, waiting, &self.grant) {
            Ok(offer) => Input::HandedOff(Box::new(offer)),
            Err(text) => Input::NotAsked { call: call.id.clone(), text },
        }
    }

    /// An action that is in the catalog has to be looked up first. One that is not goes to the Gate, which refuses it and
    /// writes down that it was asked for; so does one that the grant does not cover.
    fn check_looked_up(&self, request: &ActionRequest) -> Result<(), String> {
        let name = &request.action_type;
        let Some(descriptor) = self.descriptor(request) else { return Ok(()) };
        let log = self.log().map_err(|failure| failure.to_string())?;
        if name.noun() == "catalog" || known_actions(&log).contains(name.as_str()) {
            return Ok(());
        }
        let summary = &descriptor.summary;
        Err(format!(
            "You have not looked up `{name}` ({summary}). Read its arguments with `catalog.describe` first. Nothing was done."
        ))
    }

    fn descriptor(&self, request: &ActionRequest) -> Option<Descriptor> {
        let found = self.gate.catalog().describe(&request.action_type)?;
        self.grant.covers(&found.name, &found.risks, self.gate.now()).then_some(found)
    }

    /// The reads of this step that come in a row from this call on.
    fn reads_from(&self, first: &ToolCall) -> Vec<(ToolCall, ActionRequest)> {
        let calls = self.state.turn.iter().flat_map(|turn| &turn.calls);
        let from = calls.skip_while(|(call, _)| call.id != first.id);
        let unasked = from.take_while(|(_, state)| *state == CallState::Unasked).map(|(call, _)| call);
        unasked.map_while(|call| Some((call.clone(), self.read_request(call)?))).collect()
    }

    /// The request of a call that changes nothing, not even the window, and needs no other look at it.
    fn read_request(&self, call: &ToolCall) -> Option<ActionRequest> {
        if is_hand_off(call) {
            return None;
        }
        let request = self.tools().request(call).ok()?;
        self.descriptor(&request).filter(only_reads)?;
        self.check_looked_up(&request).ok()?;
        self.with_base(request).ok()
    }

    /// Submits reads at the same time. The results are heard in the order of the calls.
    async fn read_together(&mut self, reads: Vec<(ToolCall, ActionRequest)>) -> Input {
        let submissions: Vec<_> = reads.iter().map(|(call, request)| self.submission_for(call, request)).collect();
        let gate = self.gate.clone();
        let (calls, requests): (Vec<_>, Vec<_>) = reads.into_iter().unzip();
        let submitting =
            requests.into_iter().zip(submissions).map(|(request, submission)| gate.submit(request, submission));
        let all = join_all(submitting);
        tokio::pin!(all);
        let submitted = tokio::select! {
            submitted = &mut all => Some(submitted),
            () = stopped(&mut self.stop) => {
                self.gate.stop_turn(&self.turn, &self.user);
                timeout(PATIENCE, &mut all).await.ok()
            }
        };
        let Some(submitted) = submitted else { return Input::Stop };
        let mut heard = calls.into_iter().zip(submitted).map(|(call, submitted)| {
            let input = taken_in(&call.id, submitted);
            (call.id, input)
        });
        let Some((_, first)) = heard.next() else { return Input::Stop };
        self.ahead = heard.collect();
        first
    }
}

/// Tells whether an action changes nothing. Those of the window are declared as reading, and keep their order.
fn only_reads(found: &Descriptor) -> bool {
    let is_of_window = found.name.noun() == "ui" && found.name.as_str() != "ui.tabs.list";
    found.risks.is_read_only() && found.undo == UndoSupport::NotNeeded && !is_of_window
}

#[cfg(test)]
mod tests {
    use aside_core::{Id as _, Timestamp};
    use aside_store::StoreOptions;

    use super::*;

    #[test]
    fn time_of_a_turn_outlives_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let thread = ThreadId::from_parts(Timestamp(1), 1);
        let [turn, other] = [1, 2].map(|number| TurnId::from_parts(Timestamp(1), number));
        let store = open();
        for seconds in [20, 61] {
            keep_worked(&store, (&thread, &turn), Duration::from_secs(seconds)).unwrap();
        }
        drop(store);
        let store = open();
        assert_eq!(worked_before(&store, &turn), Duration::from_secs(61));
        assert_eq!(worked_before(&store, &other), Duration::ZERO);
    }
}
