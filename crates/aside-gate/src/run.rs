//! Runs a handler between two entries of the audit: the intent before, the outcome after.

use std::time::Duration;

use aside_core::{ActionId, ActionState, AuditKind, Failure, Outcome, Risk, Ruling, Timestamp, Verdict};
use aside_store::Durability;
use serde_json::Value;
use tokio::task::yield_now;

use crate::{
    Gate, GateError, Handler, Progress, Run, approval::Stopped, audit, call, commit::Commit, idempotency::Key,
    record::StoredAction,
};

impl Gate {
    /// Carries an action out. `before` goes into the audit with the intent; if they can't be written,
    /// nothing runs.
    pub(crate) async fn carry_out(
        &self,
        mut action: StoredAction,
        handler: &dyn Handler,
        before: Vec<Value>,
        key: Option<Key>,
    ) -> Result<StoredAction, GateError> {
        if let Some(by) = self.stopped_before(&action) {
            let failure = Failure::new("stopped", format!("{by} stopped it before it started"));
            return self.conclude(action, not_begun(failure)).await;
        }
        let marked = match self.mark(&action).await {
            Ok(marked) => marked,
            Err(failure) => return self.conclude(action, unmarked(failure)).await,
        };
        let until = handler.kept_for().map(|kept| kept_until(self.store.now(), kept));
        let intent = self.intend(&mut action, before, key).await?;
        let context = self.context(&action);
        let run = Box::pin(call::run(handler, &context, &action.record.envelope.args));
        let result = self.listen(&action, &context.progress, run).await;
        if context.progress.does_go_on() {
            // It begins before the outcome is written, which takes longer than to begin.
            yield_now().await;
        }
        self.settle_marks(&action, marked, &result).await;
        if result.as_ref().is_ok_and(|run| run.inverse.is_some()) {
            action.record.undo_until = until;
        }
        let durability = after_it(&action, &context.progress);
        self.settle(action, intent, result, durability).await
    }

    /// Writes down what is about to be done; returns that entry of the audit.
    async fn intend(
        &self,
        action: &mut StoredAction,
        mut before: Vec<Value>,
        key: Option<Key>,
    ) -> Result<Value, GateError> {
        action.record.state = ActionState::Running;
        let intent = audit::entry(AuditKind::Intent, self.store.now(), action);
        before.push(intent.clone());
        let mut commit = Commit::new(before_it(action), action, before);
        commit.key = key.map(|key| (key, action.id().clone()));
        self.commit(commit).await?;
        Ok(intent)
    }

    async fn settle(
        &self,
        mut action: StoredAction,
        intent: Value,
        result: Result<Run, Failure>,
        durability: Durability,
    ) -> Result<StoredAction, GateError> {
        let now = self.store.now();
        let (outcome, changed, inverse) = match result {
            Ok(run) => {
                let (observation, changed) = (run.observation.clone(), run.changed.clone());
                (Outcome::Done { observation }, changed, run.into_inverse())
            }
            Err(failure) => (Outcome::Failed { failure }, Vec::new(), None),
        };
        action.inverse = inverse;
        action.end(outcome, now);
        let mut commit = Commit::new(durability, &action, vec![audit::outcome(intent, now, &action, &changed)]);
        commit.taken_back = taken_back(&action);
        match self.commit(commit).await {
            Ok(()) => Ok(action),
            Err(error) => Err(self.lost(action, error)),
        }
    }

    /// It ran, and that can't be written down: those who wait are told, the store still has the intent.
    fn lost(&self, mut action: StoredAction, error: GateError) -> GateError {
        tracing::error!(action = %action.id(), %error, "could not record an outcome");
        let reason = format!("it ran, but its outcome could not be recorded: {error}");
        action.end(Outcome::Interrupted { reason }, self.store.now());
        self.announce(action.record);
        error
    }
}

/// Until when something is there that is kept for so long from this time on.
pub(crate) fn kept_until(begun: Timestamp, kept: Duration) -> Timestamp {
    begun.plus(i64::try_from(kept.as_millis()).unwrap_or(i64::MAX))
}

/// What would be written could not be labelled, so it is not written.
fn unmarked(failure: Failure) -> Stopped {
    let reason = "The content could not be labelled, so it was not written.".to_owned();
    let verdict = Verdict::new(Ruling::Deny, "builtin/not-labelled", reason);
    Stopped { verdict, outcome: Outcome::Failed { failure }, assessment: None }
}

/// Somebody stopped it while it was looked at.
fn not_begun(failure: Failure) -> Stopped {
    let verdict = Verdict::new(Ruling::Deny, "builtin/stopped", format!("{}.", failure.message));
    Stopped { verdict, outcome: Outcome::Failed { failure }, assessment: None }
}

/// How durable an intent is before the handler runs. Looking is recorded without waiting for the disk.
fn before_it(action: &StoredAction) -> Durability {
    if action.record.envelope.risk_level.is_read_only() { Durability::Normal } else { Durability::Full }
}

/// How durable an outcome is before it is told. One that a power cut takes leaves an intent, which is shown as
/// interrupted; what can't simply be changed back is not left to that, but for what goes on: a power cut ends that too.
fn after_it(action: &StoredAction, progress: &Progress) -> Durability {
    match action.record.envelope.risk_level.gravest() {
        None | Some(Risk::Read) => Durability::Normal,
        Some(Risk::Write) => Durability::Soon,
        Some(_) if progress.does_go_on() => Durability::Soon,
        Some(_) => Durability::Full,
    }
}

fn taken_back(action: &StoredAction) -> Option<(ActionId, ActionId)> {
    let original = action.record.undoes.clone().filter(|_| action.record.state == ActionState::Done)?;
    Some((original, action.id().clone()))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use aside_core::ActionRecord;
    use futures_util::FutureExt as _;
    use serde_json::json;

    use super::*;
    use crate::{
        Submission,
        testing::{Bench, person, replace, request},
    };

    #[tokio::test]
    async fn only_what_looks_does_not_wait_for_the_disk() {
        let bench = Bench::new("one");
        let progress = Progress::default();
        let level = |record: ActionRecord| {
            let action = bench.gate.stored(&record.envelope.id).unwrap();
            (before_it(&action), after_it(&action, &progress))
        };
        let (read, edit) = (request("text.read", json!({})), replace("one", "1"));
        assert_eq!(level(bench.order(read).await), (Durability::Normal, Durability::Normal));
        assert_eq!(level(bench.order(edit).await), (Durability::Full, Durability::Soon));
        let grave = bench.order(request("text.clear", json!({}))).await;
        assert_eq!(level(grave.clone()), (Durability::Full, Durability::Full));
        progress.goes_on();
        assert_eq!(level(grave), (Durability::Full, Durability::Soon));
    }

    #[tokio::test]
    async fn a_panic_is_a_failure_of_the_action_and_of_nothing_else() {
        let bench = Bench::new("one two");
        let record = bench.order(replace("one", "<panic>")).await;
        assert!(matches!(&record.outcome, Some(Outcome::Failed { failure }) if failure.code == "panicked"));
        assert_eq!(bench.audited(), ["intent", "outcome"]);
        assert_eq!(bench.order(replace("two", "2")).await.state, ActionState::Done);
    }

    #[tokio::test]
    async fn a_failure_is_an_outcome_without_an_undo() {
        let bench = Bench::new("one");
        let record = bench.order(replace("one", "<fail>")).await;
        assert_eq!((record.state, record.can_undo), (ActionState::Failed, false));
        assert_eq!(bench.audit()[1]["outcome"]["code"], "io");
    }

    #[tokio::test]
    async fn a_caller_who_goes_away_does_not_stop_it() {
        let bench = Bench::new("one");
        let mut changes = bench.gate.changes();
        let mut submit = Box::pin(bench.gate.submit(replace("one", "<wait>"), Submission::person(person())));
        assert!((&mut submit).now_or_never().is_none());
        bench.world.begun.acquire().await.unwrap().forget();
        drop(submit);
        let running = changes.recv().await.unwrap();
        assert_eq!(running.state, ActionState::Running);
        bench.world.go.add_permits(1);
        assert_eq!(bench.gate.settled(&running.envelope.id).await.unwrap().state, ActionState::Done);
    }

    #[tokio::test]
    async fn if_the_intent_cannot_be_written_nothing_runs() {
        let bench = Bench::with_journal("one", 0);
        let held = bench.hold_the_database();
        let error = bench.gate.submit(replace("one", "1"), Submission::person(person())).await.unwrap_err();
        assert_eq!(error.failure().code, "store");
        assert_eq!((bench.runs(), bench.world.text().as_str()), (0, "one"));
        drop(held);
        assert_eq!(bench.order(replace("one", "1")).await.state, ActionState::Done);
    }

    #[tokio::test]
    async fn if_the_outcome_cannot_be_written_those_who_wait_are_told() {
        let bench = Bench::with_journal("one", 0);
        let mut changes = bench.gate.changes();
        let submit = bench.gate.submit(replace("one", "<wait>"), Submission::person(person()));
        let breaking = async {
            bench.world.begun.acquire().await.unwrap().forget();
            let held = bench.hold_the_database();
            bench.world.go.add_permits(1);
            held
        };
        let (error, held) = tokio::join!(submit, breaking);
        drop(held);
        assert_eq!(error.unwrap_err().failure().code, "store");
        let id = changes.recv().await.unwrap().envelope.id.clone();
        assert_eq!(changes.recv().await.unwrap().state, ActionState::Interrupted);
        assert_eq!(bench.gate.record(&id).unwrap().state, ActionState::Running);
        assert_eq!(bench.world.runs.load(Ordering::SeqCst), 1);
    }
}
