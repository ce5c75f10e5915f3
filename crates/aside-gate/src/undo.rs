//! Taking back: the recorded inverse enters by the Gate like any other request.

use std::sync::Arc;

use aside_core::{ActionId, ActionRecord, ActionState, Outcome, Preview};
use aside_macros::boxed;
use aside_store::Durability;

use crate::{
    Gate, GateError, Submission, Submitted, commit::Commit, gate::carried_through, record::StoredAction, submit::Ask,
};

/// The code of a failure: what was kept for the way back is gone.
const NOT_KEPT: &str = "not_kept";

impl Gate {
    /// Takes an action back. An undo is an action too, and can be taken back itself.
    #[boxed]
    pub async fn undo(
        self: &Arc<Self>,
        id: &ActionId,
        submission: Submission,
        key: Option<String>,
    ) -> Result<Submitted, GateError> {
        let (gate, id) = (self.clone(), self.undone_as(id)?);
        carried_through(async move { gate.take_back(&id, submission, key).await }).await
    }

    /// The action to take back for another one: that which carried out all its accepted parts, if there is exactly one.
    fn undone_as(&self, id: &ActionId) -> Result<ActionId, GateError> {
        let record = self.stored(id)?.record;
        let mut children = record.parts.iter().filter_map(|part| part.action.as_ref());
        let Some(first) = children.next().filter(|_| record.state == ActionState::Done) else { return Ok(id.clone()) };
        let once =
            record.preview.as_ref().is_some_and(Preview::is_submitted_once) && children.all(|each| each == first);
        Ok(if once { first.clone() } else { id.clone() })
    }

    async fn take_back(
        &self,
        id: &ActionId,
        submission: Submission,
        key: Option<String>,
    ) -> Result<Submitted, GateError> {
        let _pass = self.in_flight.enter(format!("undo:{id}")).await;
        let mut original = self.stored(id)?;
        let Some(inverse) = &original.inverse else { return Err(not_undoable(&original)) };
        let mut request = inverse.request.clone();
        request.idempotency_key = key;
        let ask = Ask { request, submission, undoes: Some(id.clone()) };
        if !original.record.can_undo && !self.known(&ask)? {
            return Err(not_undoable(&original));
        }
        let submitted = self.take_in(self.new_id(), ask).await?;
        if original.record.undo_until.is_some() && is_lost(&submitted.record) {
            // Given up before its time, to make room. It is not offered again.
            original.inverse = None;
            original.record.can_undo = false;
            self.commit(Commit::new(Durability::Normal, &original, Vec::new())).await?;
        }
        Ok(submitted)
    }
}

/// Tells whether what an undo needs is not kept any more.
fn is_lost(undo: &ActionRecord) -> bool {
    matches!(&undo.outcome, Some(Outcome::Failed { failure }) if failure.code == NOT_KEPT)
}

pub(crate) fn not_undoable(original: &StoredAction) -> GateError {
    let record = &original.record;
    let children: Vec<_> = record.parts.iter().filter_map(|part| part.action.as_ref()).map(ActionId::as_str).collect();
    let reason = match record.state {
        ActionState::Undone => "it has already been undone".to_owned(),
        ActionState::Done if !children.is_empty() => {
            format!("its parts ran separately; undo {} instead", children.join(" or "))
        }
        ActionState::Interrupted | ActionState::Done if original.inverse.is_some() => {
            let until = record.undo_until.map(|until| until.to_string()).unwrap_or_default();
            format!("the data for undo was kept until {until}")
        }
        ActionState::Interrupted => "it was interrupted, and its effects can't be undone".to_owned(),
        ActionState::Done => "it has nothing to undo".to_owned(),
        _ => "it has not finished".to_owned(),
    };
    GateError::NotUndoable { action: original.id().clone(), reason, undone_by: record.undone_by.clone() }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use aside_core::ReviewMode;
    use serde_json::json;

    use super::*;
    use crate::testing::{Bench, person, replace, replace_all, request};

    fn refused(result: Result<Submitted, GateError>) -> String {
        result.unwrap_err().failure().code
    }

    async fn try_undo(bench: &Bench, record: &ActionRecord) -> Result<Submitted, GateError> {
        bench.gate.undo(&record.envelope.id, Submission::person(person()), None).await
    }

    #[tokio::test]
    async fn an_undo_is_an_action_that_can_be_undone_itself() {
        let bench = Bench::new("one");
        let edit = bench.order(replace("one", "1")).await;
        let undo = bench.undo(&edit).await;
        assert_eq!((undo.undoes.as_ref(), bench.world.text().as_str()), (Some(&edit.envelope.id), "one"));
        let undone = bench.now(&edit);
        assert_eq!((undone.state, undone.can_undo), (ActionState::Undone, false));
        assert_eq!(undone.undone_by.as_ref(), Some(&undo.envelope.id));
        let redo = bench.undo(&undo).await;
        assert_eq!(bench.world.text(), "1");
        let again = bench.now(&edit);
        assert_eq!((again.state, again.can_undo, again.undone_by), (ActionState::Done, true, None));
        assert_eq!(bench.now(&undo).state, ActionState::Undone);
        bench.undo(&redo).await;
        assert_eq!(bench.world.text(), "one");
        assert_eq!(bench.now(&edit).state, ActionState::Undone);
        assert_eq!(bench.now(&edit).undone_by.as_ref(), Some(&undo.envelope.id));
        assert_eq!(bench.now(&undo).state, ActionState::Done);
        assert_eq!(bench.audit().last().unwrap()["undoes"], redo.envelope.id.as_str());
    }

    #[tokio::test]
    async fn what_was_taken_back_cannot_be_taken_back_again() {
        let bench = Bench::new("one");
        let edit = bench.order(replace("one", "1")).await;
        let (one, two) = tokio::join!(try_undo(&bench, &edit), try_undo(&bench, &edit));
        assert_eq!([&one, &two].iter().filter(|result| result.is_ok()).count(), 1);
        assert_eq!(refused(try_undo(&bench, &edit).await), "already_undone");
        assert_eq!(bench.world.text(), "one");
    }

    #[tokio::test]
    async fn a_key_makes_an_undo_repeatable() {
        let bench = Bench::new("one two");
        let edit = bench.order(replace("one", "1")).await;
        let undo = || bench.gate.undo(&edit.envelope.id, Submission::person(person()), Some("k".to_owned()));
        let (first, again) = (undo().await.unwrap(), undo().await.unwrap());
        assert_eq!((again.replayed, &again.record), (true, &first.record));
        let other = bench.order(replace("two", "2")).await;
        let reused = bench.gate.undo(&other.envelope.id, Submission::person(person()), Some("k".to_owned())).await;
        assert_eq!(refused(reused), "key_reused");
    }

    #[tokio::test]
    async fn without_an_id_the_last_edit_goes_then_the_one_before() {
        let bench = Bench::new("one two");
        let first = bench.order(replace("one", "1")).await;
        let second = bench.auto(replace("two", "2")).await;
        bench.order(request("text.read", json!({}))).await;
        let latest = || bench.gate.latest_undoable().unwrap().map(|record| record.envelope.id);
        assert_eq!(latest(), Some(second.envelope.id.clone()));
        let undo = bench.undo(&second).await;
        assert_eq!(latest(), Some(first.envelope.id.clone()));
        bench.undo(&first).await;
        assert_eq!(latest(), None);
        bench.undo(&undo).await;
        assert_eq!(latest(), Some(second.envelope.id));
    }

    #[tokio::test]
    async fn an_undo_that_fails_leaves_the_action_done() {
        let bench = Bench::new("one");
        let edit = bench.order(replace("one", "1")).await;
        bench.world.set("something else");
        assert_eq!(bench.undo(&edit).await.state, ActionState::Failed);
        assert_eq!((bench.now(&edit).state, bench.now(&edit).can_undo), (ActionState::Done, true));
        bench.world.set("1");
        assert_eq!(bench.undo(&edit).await.state, ActionState::Done);
    }

    #[tokio::test]
    async fn typing_done_meanwhile_survives() {
        let bench = Bench::new("one two");
        let edit = bench.order(replace("one", "1")).await;
        bench.world.set("new 1 two more");
        bench.undo(&edit).await;
        assert_eq!(bench.world.text(), "new one two more");
    }

    #[tokio::test]
    async fn a_person_s_undo_runs_at_once_and_a_model_s_waits() {
        let bench = Bench::new("one two");
        let asked = bench.order(request("text.clear", json!({}))).await;
        let cleared = bench.approve(&asked.envelope.id).await.unwrap();
        let by_model = bench.gate.undo(&cleared.envelope.id, bench.turn(ReviewMode::AutoApply), None).await.unwrap();
        assert_eq!(by_model.record.verdict.rule, "builtin/model-undo");
        assert_eq!((by_model.record.state, bench.world.text().as_str()), (ActionState::AwaitingConfirmation, ""));
        assert_eq!(bench.undo(&cleared).await.state, ActionState::Done);
        assert_eq!(bench.world.text(), "one two");
        let late = bench.approve(&by_model.record.envelope.id).await.unwrap();
        assert_eq!((late.state, bench.world.text().as_str()), (ActionState::Failed, "one two"));
    }

    #[tokio::test]
    async fn what_is_kept_for_a_time_can_be_taken_back_for_that_time() {
        let bench = Bench::new("one two");
        let first = bench.order(replace("one", "1")).await;
        let cleared = bench.order(request("text.clear", json!({}))).await;
        let cleared = bench.approve(&cleared.envelope.id).await.unwrap();
        let until = cleared.undo_until.expect("it is kept for a time");
        assert!(cleared.can_undo && first.undo_until.is_none());
        let latest = || bench.gate.latest_undoable().unwrap().map(|record| record.envelope.id);
        assert_eq!(latest(), Some(cleared.envelope.id.clone()));
        bench.clock.store(until.0, Ordering::SeqCst);
        assert!(!bench.now(&cleared).can_undo);
        assert_eq!(refused(try_undo(&bench, &cleared).await), "not_undoable");
        assert_eq!(bench.gate.way_back(&cleared.envelope.id).unwrap_err().failure().code, "not_undoable");
        assert_eq!(latest(), Some(first.envelope.id), "the one before, which is kept for good");
    }

    #[tokio::test]
    async fn what_was_given_up_before_its_time_is_offered_no_more() {
        let bench = Bench::new("<lost>");
        let asked = bench.order(request("text.clear", json!({}))).await;
        let cleared = bench.approve(&asked.envelope.id).await.unwrap();
        let undo = bench.undo(&cleared).await;
        assert_eq!((undo.state, bench.now(&cleared).can_undo), (ActionState::Failed, false));
        assert_eq!(refused(try_undo(&bench, &cleared).await), "not_undoable");
        assert_eq!(bench.now(&cleared).state, ActionState::Done);
    }

    #[tokio::test]
    async fn what_left_no_way_back_says_so() {
        let bench = Bench::new("one two");
        let read = bench.order(request("text.read", json!({}))).await;
        assert_eq!(refused(try_undo(&bench, &read).await), "not_undoable");
        let waiting = bench.propose(replace_all(&[("one", "1"), ("two", "2")])).await;
        assert_eq!(refused(try_undo(&bench, &waiting).await), "not_undoable");
    }
}
