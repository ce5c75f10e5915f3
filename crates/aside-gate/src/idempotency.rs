//! Keys: the same key with the same request runs once.

use aside_core::{ActionId, AuditKind, Origin, Sha256};
use aside_store::StoreError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Gate, GateError, Submission, Submitted, audit,
    intake::Refusal,
    record::StoredAction,
    submit::{Ask, stopped_by, submitted},
};

/// The kind of the records that remember keys.
pub(crate) const KIND: &str = "action_key";

/// What a key was used for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UsedKey {
    pub(crate) action: ActionId,
    pub(crate) request: Sha256,
}

/// The key of a request, in the scope of the person it is for, and of the grant if it is asked for under one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// As the envelope shows it.
    pub(crate) text: String,
    /// Under which it is remembered.
    pub(crate) scoped: Sha256,
    /// What the request is.
    pub(crate) request: Sha256,
}

/// Returns the key that was given, or that follows from a model's tool call; a person's request without
/// a key is always a new one.
pub(crate) fn key(ask: &Ask, args: &Value) -> Option<Key> {
    let (request, origin) = (&ask.request, &ask.submission.origin);
    let hash = Sha256::of_json(&(&request.action_type, args, &ask.undoes));
    let text = request.idempotency_key.clone().or_else(|| derived(origin, &hash))?;
    Some(Key { scoped: scoped(&ask.submission, &text), text, request: hash })
}

fn scoped(submission: &Submission, key: &str) -> Sha256 {
    Sha256::of_json(&(submission.origin.user(), &submission.grant.id, key))
}

impl Gate {
    /// Tells whether an undo was asked for with this key before.
    pub(crate) fn known(&self, undo: &Ask) -> Result<bool, StoreError> {
        let Some(key) = key(undo, &undo.request.args) else { return Ok(false) };
        Ok(self.store.get::<UsedKey>(KIND, key.scoped.as_str())?.is_some())
    }

    /// Returns the action that an undo with this key took back, or asked to. One that is sent again without naming it means
    /// that one, and not the latest of now.
    pub fn undone_with(&self, submission: &Submission, key: &str) -> Result<Option<ActionId>, GateError> {
        match self.store.get::<UsedKey>(KIND, scoped(submission, key).as_str())? {
            Some(used) => Ok(self.stored(&used.action)?.record.undoes),
            None => Ok(None),
        }
    }

    /// Returns the stored action for a key that is known. What is not allowed any more is not replayed either.
    pub(crate) async fn replay(&self, action: &StoredAction, key: &Key) -> Result<Option<Submitted>, GateError> {
        let Some(used) = self.store.get::<UsedKey>(KIND, key.scoped.as_str())? else { return Ok(None) };
        if used.request != key.request {
            return Err(self.reused(action.clone(), key, used.action).await?);
        }
        let stored = self.stored(&used.action)?;
        let known = &stored.record;
        let allowed = self
            .check_grant(action, &known.envelope.risk_level)
            .and_then(|()| self.rule(action, &known.envelope.risk_level, &known.assessment, known.preview.as_ref()));
        if let Err(stopped) = allowed {
            return self.conclude(action.clone(), *stopped).await.map(|action| Some(submitted(action)));
        }
        self.note(vec![audit::entry(AuditKind::Replayed, self.store.now(), &stored)]).await?;
        Ok(Some(Submitted { record: stored.record, replayed: true }))
    }

    async fn reused(&self, mut action: StoredAction, key: &Key, used: ActionId) -> Result<GateError, GateError> {
        let error = GateError::KeyReused { key: key.text.clone(), action: used };
        let refusal = Refusal::request("request/key-reused", error.failure());
        action.stop(*stopped_by(&refusal), self.store.now());
        self.note(vec![audit::entry(AuditKind::Refused, self.store.now(), &action)]).await?;
        Ok(error)
    }
}

/// No versions among it: a call that is made again after a restart finds the document as it left it.
fn derived(origin: &Origin, request: &Sha256) -> Option<String> {
    match origin {
        Origin::Turn { turn, step, call, .. } => {
            Some(format!("call:{}", Sha256::of_json(&(turn, step, call, request)).short()))
        }
        // Ids of MCP requests are used again by the next session: its clients give a key of their own.
        Origin::User { .. }
        | Origin::Cli { .. }
        | Origin::Client { .. }
        | Origin::Mcp { .. }
        | Origin::Sidebar { .. }
        // The journal of the run has the action of each call.
        | Origin::Script { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use aside_core::{ActionRequest, ActionState, ReviewMode};
    use futures_util::FutureExt as _;

    use super::*;
    use crate::{
        GateError,
        testing::{Bench, keyed, model, person, replace, request},
    };

    fn ask(origin: Origin, given: Option<&str>) -> Ask {
        let idempotency_key = given.map(str::to_owned);
        let request = ActionRequest { idempotency_key, ..request("text.read", json!({})) };
        Ask { request, submission: Submission::person(origin), undoes: None }
    }

    #[test]
    fn keys_follow_from_a_model_s_call_and_not_from_a_person_s_click() {
        assert_eq!(key(&ask(person(), None), &json!({})), None);
        let derived = key(&ask(model(), None), &json!({})).unwrap();
        assert_eq!(key(&ask(model(), None), &json!({})), Some(derived.clone()));
        assert_ne!(key(&ask(model(), None), &json!({ "a": 1 })).unwrap().text, derived.text);
    }

    #[test]
    fn keys_belong_to_a_person() {
        let other = Origin::User { user: "someone else".to_owned() };
        let (mine, theirs) = (key(&ask(person(), Some("k")), &json!({})), key(&ask(other, Some("k")), &json!({})));
        assert_ne!(mine.unwrap().scoped, theirs.unwrap().scoped);
    }

    #[tokio::test]
    async fn a_used_key_replays_its_outcome_and_refuses_another_request() {
        let bench = Bench::new("one two");
        let submit = |wanted| bench.gate.submit(wanted, Submission::person(person()));
        let first = submit(keyed(replace("one", "1"), "k")).await.unwrap();
        // The line is gone, so that carrying it out again would fail.
        let again = submit(keyed(replace("one", "1"), "k")).await.unwrap();
        assert_eq!((again.replayed, again.record), (true, first.record.clone()));
        let error = submit(keyed(replace("two", "2"), "k")).await.unwrap_err();
        assert!(matches!(&error, GateError::KeyReused { action, .. } if *action == first.record.envelope.id));
        assert_eq!(error.failure().code, "key_reused");
        assert_eq!((bench.runs(), bench.world.text().as_str()), (1, "1 two"));
        assert_eq!(bench.audited(), ["intent", "outcome", "replayed", "refused"]);
    }

    #[tokio::test]
    async fn concurrent_duplicates_run_once_and_both_get_the_outcome() {
        let bench = Bench::new("one");
        let submit = || bench.gate.submit(keyed(replace("one", "<wait>"), "k"), Submission::person(person()));
        let (mut first, mut second) = (Box::pin(submit()), Box::pin(submit()));
        assert!((&mut first).now_or_never().is_none());
        assert!((&mut second).now_or_never().is_none());
        bench.world.begun.acquire().await.unwrap().forget();
        bench.world.go.add_permits(2);
        let (first, second) = (first.await.unwrap(), second.await.unwrap());
        assert_eq!(first.record, second.record);
        assert_eq!(first.record.state, ActionState::Done);
        assert_eq!([first.replayed, second.replayed].iter().filter(|replayed| **replayed).count(), 1);
        assert_eq!(bench.runs(), 1);
    }

    #[tokio::test]
    async fn a_model_s_call_that_is_made_again_after_a_restart_is_not_carried_out_twice() {
        let bench = Bench::new("one");
        let submission = bench.turn(ReviewMode::AutoApply);
        let first = bench.submit(replace("one", "1"), submission.clone()).await;
        let bench = bench.reopened();
        let again = bench.submit(replace("one", "1"), submission).await;
        assert!(again.replayed);
        assert_eq!((again.record, bench.runs()), (first.record, 1));
    }

    #[tokio::test]
    async fn a_failure_before_anything_ran_does_not_use_up_its_key() {
        let bench = Bench::new("one");
        assert_eq!(bench.order(keyed(replace("two", "2"), "k")).await.state, ActionState::Failed);
        bench.world.set("two");
        assert_eq!(bench.order(keyed(replace("two", "2"), "k")).await.state, ActionState::Done);
    }

    #[tokio::test]
    async fn a_person_who_clicks_twice_means_it_twice() {
        let bench = Bench::new("a a");
        bench.order(replace("a", "b")).await;
        bench.order(replace("a", "b")).await;
        assert_eq!((bench.runs(), bench.world.text().as_str()), (2, "b b"));
    }
}
