//! A person's answer: bound to what was shown, given once.

use std::sync::Arc;

use aside_core::{
    ActionId, ActionRecord, ActionState, AuditKind, Choice, Decision, DecisionScope, Failure, ObjectVersion, Outcome,
    RefusedBy, Ruling,
};
use aside_macros::boxed;
use aside_store::Durability;

use crate::{
    Gate, GateError, Handler,
    approval::{self, Findings, Look, Stopped},
    audit,
    chosen::{Chosen, check_shown, chosen, expired, repeated},
    commit::Commit,
    gate::carried_through,
    record::StoredAction,
};

impl Gate {
    /// Takes a person's answer, carries out what was approved, and returns the action as it is then.
    ///
    /// `by` is the person. Never call this for a model.
    #[boxed]
    pub async fn decide(
        self: &Arc<Self>,
        id: &ActionId,
        decision: Decision,
        by: &str,
    ) -> Result<ActionRecord, GateError> {
        let (gate, id, by) = (self.clone(), id.clone(), by.to_owned());
        carried_through(async move {
            let record = gate.take_decision(&id, &decision, &by).await?;
            if decision.scope == DecisionScope::Class {
                gate.approve_rest_of_class(&record)?;
            }
            Ok(record)
        })
        .await
    }

    async fn take_decision(&self, id: &ActionId, decision: &Decision, by: &str) -> Result<ActionRecord, GateError> {
        // Held to the end, so that a second click finds the first one's result.
        let _pass = self.in_flight.enter(format!("action:{id}")).await;
        let action = self.stored(id)?;
        if action.record.state != ActionState::AwaitingConfirmation {
            return repeated(action.record, decision);
        }
        check_shown(&action, decision)?;
        if decision.decision == Choice::Approve && expired(&action.record, self.store.now()) {
            return Err(self.show_again(action).await?);
        }
        self.check_scope(&action, decision)?;
        match (chosen(&action.record, decision)?, decision.decision) {
            (Chosen::Nothing, _) => Ok(action.record),
            (Chosen::Whole, Choice::Approve) => self.approve(action, decision, by).await,
            (Chosen::Whole, Choice::Reject) => self.reject(action, decision, by).await,
            (Chosen::Parts(parts), _) => self.decide_parts(action, decision, &parts, by).await,
        }
    }

    async fn reject(&self, mut action: StoredAction, decision: &Decision, by: &str) -> Result<ActionRecord, GateError> {
        let now = self.store.now();
        action.record.decided_by = Some(by.to_owned());
        action.end(rejected(by, decision.reason.as_deref()), now);
        let entry = audit::decision(now, &action, decision, None, by);
        self.commit(Commit::new(Durability::Soon, &action, vec![entry])).await?;
        Ok(action.record)
    }

    async fn approve(
        &self,
        mut action: StoredAction,
        decision: &Decision,
        by: &str,
    ) -> Result<ActionRecord, GateError> {
        let handler = self.handler(&action)?;
        let _pass = match &action.record.undoes {
            Some(original) => Some(self.in_flight.enter(format!("undo:{original}")).await),
            None => None,
        };
        if let Some(stopped) = self.undone_meanwhile(&action)? {
            return Ok(self.conclude(action, stopped).await?.record);
        }
        match self.look(&action, &*handler, Look::Closely).await {
            Ok(found) if approval::covers(&action, &found) => {
                action.record.decided_by = Some(by.to_owned());
                action.record.remembered = self.remember(&action, decision, by).await?;
                let entry = audit::decision(self.store.now(), &action, decision, None, by);
                Ok(self.carry_out(action, &*handler, vec![entry], None).await?.record)
            }
            Ok(found) => Err(self.ask_again(action, found).await?),
            Err(stopped) => match &stopped.outcome {
                Outcome::Failed { .. } => Err(self.mark_stale_rows(action, &*handler, &stopped).await?),
                _ => Ok(self.conclude(action, *stopped).await?.record),
            },
        }
    }

    /// What was shown so long ago is shown anew, and an approval of it counts no more.
    async fn show_again(&self, mut action: StoredAction) -> Result<GateError, GateError> {
        let now = self.store.now();
        action.bind(now);
        let entry = audit::entry(AuditKind::Stale, now, &action);
        self.commit(Commit::new(Durability::Normal, &action, vec![entry])).await?;
        let reason = "the preview has expired: review it again".to_owned();
        Ok(GateError::Stale { reason, record: Box::new(action.record) })
    }

    /// Shows what would happen now, in place of what was shown.
    pub(crate) async fn ask_again(
        &self,
        mut action: StoredAction,
        mut found: Findings,
    ) -> Result<GateError, GateError> {
        let now = self.store.now();
        if found.verdict.ruling == Ruling::Allow {
            found.verdict = action.record.verdict.clone();
        }
        action.shown = now;
        let changed = changed_objects(&action.record.assessment.versions, &found.assessment.versions);
        action.take_findings(found);
        let entry = audit::entry(AuditKind::Stale, now, &action);
        self.commit(Commit::new(Durability::Soon, &action, vec![entry])).await?;
        let reason = format!("the preview was out of date{changed}: review the new one");
        Ok(GateError::Stale { reason, record: Box::new(action.record) })
    }

    /// It can't be done as things are; the proposal stays, because things can change back.
    pub(crate) async fn stale(&self, action: StoredAction, failure: &Failure) -> Result<GateError, GateError> {
        self.note(vec![audit::entry(AuditKind::Stale, self.store.now(), &action)]).await?;
        let reason = format!("this is not possible now: {failure}");
        Ok(GateError::Stale { reason, record: Box::new(action.record) })
    }

    fn undone_meanwhile(&self, action: &StoredAction) -> Result<Option<Stopped>, GateError> {
        let Some(original) = &action.record.undoes else { return Ok(None) };
        if self.stored(original)?.record.can_undo {
            return Ok(None);
        }
        let failure = Failure::new("already_undone", format!("{original} was undone before this was approved"));
        let verdict = action.record.verdict.clone();
        Ok(Some(Stopped { verdict, outcome: Outcome::Failed { failure }, assessment: None }))
    }

    /// The handler of an action that was admitted before. It can be missing after a change of version or when a
    /// server of tools was taken out.
    pub(crate) fn handler(&self, action: &StoredAction) -> Result<Arc<dyn Handler>, GateError> {
        let name = &action.record.envelope.action_type;
        let entry = self.catalog.entry(name).ok_or_else(|| GateError::Stale {
            reason: format!("there is no longer an action `{name}`"),
            record: Box::new(action.record.clone()),
        })?;
        Ok(entry.handler)
    }
}

/// Names the files that are in another version than when they were shown.
fn changed_objects(shown: &[ObjectVersion], now: &[ObjectVersion]) -> String {
    let changed = now.iter().filter(|version| !shown.contains(version));
    let names: Vec<_> = changed.take(3).map(|version| format!("`{}`", version.object.id)).collect();
    if names.is_empty() { String::new() } else { format!(", because {} changed", names.join(", ")) }
}

pub(crate) fn rejected(by: &str, reason: Option<&str>) -> Outcome {
    let message = match reason {
        Some(reason) => format!("{by} rejected it: {reason}"),
        None => format!("{by} rejected it"),
    };
    Outcome::Refused { by: RefusedBy::Person, failure: Failure::new("rejected", message) }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use aside_core::{Grant, ReviewMode, Risk, Timestamp};
    use serde_json::json;

    use super::*;
    use crate::{
        Submission,
        testing::{Bench, replace, request},
    };

    async fn approve(bench: &Bench, record: &ActionRecord) -> Result<ActionRecord, GateError> {
        bench.gate.decide(&record.envelope.id, Decision::approve(record.approval_hash.clone()), "ada").await
    }

    fn stale(result: Result<ActionRecord, GateError>) -> ActionRecord {
        let error = result.unwrap_err();
        assert_eq!(error.failure().code, "stale");
        let GateError::Stale { record, .. } = error else { panic!("{error:?}") };
        *record
    }

    #[tokio::test]
    async fn an_approval_runs_it_and_says_who_approved_what() {
        let bench = Bench::new("one");
        let asked = bench.propose(replace("one", "1")).await;
        let done = approve(&bench, &asked).await.unwrap();
        assert_eq!((done.state, done.decided_by.as_deref()), (ActionState::Done, Some("ada")));
        assert_eq!(bench.audited(), ["submitted", "decision", "intent", "outcome"]);
        let decision = &bench.audit()[1];
        assert_eq!(decision["answer"]["by"], "ada");
        assert_eq!(decision["approval_hash"], asked.approval_hash.unwrap().as_str());
        assert_eq!(decision["rule"], "thread/review-each");
    }

    #[tokio::test]
    async fn a_rejection_is_an_outcome_with_its_reason() {
        let bench = Bench::new("one");
        let asked = bench.propose(replace("one", "1")).await;
        let decision = Decision::reject(Some("not this word".to_owned()));
        let refused = bench.gate.decide(&asked.envelope.id, decision.clone(), "ada").await.unwrap();
        assert!(matches!(&refused.outcome, Some(Outcome::Refused { by: RefusedBy::Person, failure })
            if failure.message == "ada rejected it: not this word"));
        assert_eq!((bench.runs(), bench.audited()), (0, vec!["submitted".to_owned(), "decision".to_owned()]));
        // The same answer again is no mistake, another one comes too late.
        assert_eq!(bench.gate.decide(&asked.envelope.id, decision, "ada").await.unwrap(), refused);
        assert_eq!(approve(&bench, &asked).await.unwrap_err().failure().code, "already_decided");
    }

    #[tokio::test]
    async fn an_approval_of_something_else_than_what_waits_is_refused() {
        let bench = Bench::new("one two");
        let (one, two) = (bench.propose(replace("one", "1")).await, bench.propose(replace("two", "2")).await);
        let swapped = Decision::approve(two.approval_hash);
        stale(bench.gate.decide(&one.envelope.id, swapped, "ada").await);
        assert_eq!((bench.runs(), bench.now(&one).state), (0, ActionState::AwaitingConfirmation));
    }

    #[tokio::test]
    async fn a_moved_document_with_the_same_effect_needs_no_new_question() {
        let bench = Bench::new("one two");
        let asked = bench.propose(replace("two", "2")).await;
        bench.world.set("more one two");
        let done = approve(&bench, &asked).await.unwrap();
        assert_eq!((done.state, bench.world.text().as_str()), (ActionState::Done, "more one 2"));
    }

    #[tokio::test]
    async fn another_effect_than_the_one_shown_is_asked_again() {
        let bench = Bench::new("one two");
        let asked = bench.order(request("text.clear", json!({}))).await;
        assert_eq!(asked.verdict.rule, "default/destructive");
        bench.world.set("one two three");
        let again = stale(approve(&bench, &asked).await);
        assert_eq!(again.preview.as_ref().unwrap().summary, "Clear 3 lines");
        assert_ne!(again.approval_hash, asked.approval_hash);
        assert_eq!((bench.runs(), bench.now(&asked)), (0, again.clone()));
        // The old approval stays void, the new one holds.
        stale(approve(&bench, &asked).await);
        assert_eq!(approve(&bench, &again).await.unwrap().state, ActionState::Done);
        assert_eq!(bench.audited(), ["submitted", "stale", "decision", "intent", "outcome"]);
    }

    #[tokio::test]
    async fn a_risk_that_was_not_there_when_it_was_shown_is_asked_again() {
        let bench = Bench::new("one");
        let asked = bench.propose(replace("one", "1")).await;
        *bench.world.extra_risk.lock().unwrap() = Some(Risk::Network);
        let again = stale(approve(&bench, &asked).await);
        assert!(again.envelope.risk_level.contains(Risk::Network));
        assert_eq!(bench.runs(), 0);
        assert_eq!(approve(&bench, &again).await.unwrap().state, ActionState::Done);
    }

    #[tokio::test]
    async fn what_can_not_be_done_just_now_keeps_its_proposal() {
        let bench = Bench::new("one");
        let asked = bench.propose(replace("one", "1")).await;
        bench.world.set("another");
        stale(approve(&bench, &asked).await);
        assert_eq!(bench.now(&asked).state, ActionState::AwaitingConfirmation);
        bench.world.set("one");
        assert_eq!(approve(&bench, &asked).await.unwrap().state, ActionState::Done);
    }

    #[tokio::test]
    async fn a_double_click_runs_it_once() {
        let bench = Bench::new("one");
        let asked = bench.propose(replace("one", "1")).await;
        let (first, second) = tokio::join!(approve(&bench, &asked), approve(&bench, &asked));
        assert_eq!(first.unwrap(), second.unwrap());
        assert_eq!(bench.runs(), 1);
        assert_eq!(approve(&bench, &asked).await.unwrap().state, ActionState::Done);
        assert_eq!(bench.runs(), 1);
    }

    #[tokio::test]
    async fn an_approval_that_comes_too_late_counts_no_more_however_often_it_is_sent() {
        let bench = Bench::new("one");
        let asked = bench.propose(replace("one", "1")).await;
        bench.clock.store(asked.expires.unwrap().0, Ordering::SeqCst);
        let again = stale(approve(&bench, &asked).await);
        assert_eq!((&again.preview, again.expires > asked.expires), (&asked.preview, true));
        stale(approve(&bench, &asked).await);
        assert_eq!((bench.runs(), bench.audited()), (0, vec!["submitted".to_owned(), "stale".to_owned()]));
        assert_eq!(approve(&bench, &again).await.unwrap().state, ActionState::Done);
    }

    #[tokio::test]
    async fn of_many_approvals_at_once_one_runs_it_and_all_get_its_outcome() {
        let bench = Bench::new("one");
        let asked = bench.propose(replace("one", "<wait>")).await;
        let many: Vec<_> = (0..32)
            .map(|_| {
                let (gate, id, yes) = (bench.gate.clone(), asked.envelope.id.clone(), bench.yes(&asked.envelope.id));
                tokio::spawn(async move { gate.decide(&id, yes, "ada").await })
            })
            .collect();
        bench.world.begun.acquire().await.unwrap().forget();
        bench.world.go.add_permits(many.len());
        let answers = futures_util::future::join_all(many).await;
        let done = bench.now(&asked);
        assert!(answers.into_iter().all(|answer| answer.unwrap().unwrap() == done));
        assert_eq!((bench.runs(), done.state), (1, ActionState::Done));
        assert_eq!(bench.audited(), ["submitted", "decision", "intent", "outcome"]);
    }

    #[tokio::test]
    async fn a_grant_that_ended_meanwhile_is_no_grant() {
        let bench = Bench::new("one");
        let grant = Grant { expires: Some(Timestamp(100_000)), ..Grant::full("a lesson") };
        let submission = Submission { grant, ..bench.turn(ReviewMode::ReviewEach) };
        let asked = bench.submit(replace("one", "1"), submission).await.record;
        bench.clock.store(100_000, Ordering::SeqCst);
        let refused = approve(&bench, &asked).await.unwrap();
        assert!(matches!(refused.outcome, Some(Outcome::Refused { by: RefusedBy::Grant, .. })));
        assert_eq!(bench.runs(), 0);
    }

    #[tokio::test]
    async fn an_approval_that_does_not_say_what_was_shown_is_refused() {
        let bench = Bench::new("one");
        let asked = bench.propose(replace("one", "1")).await;
        let error = bench.gate.decide(&asked.envelope.id, Decision::approve(None), "ada").await.unwrap_err();
        assert_eq!((error.failure().code.as_str(), bench.runs()), ("hash_missing", 0));
        assert!(error.failure().hint.unwrap().contains("approval_hash"));
        assert_eq!(bench.now(&asked), asked);
    }
}
