//! What waits for a person under a grant that has ended, or of an assistant that was restricted since. It can't run any
//! more, so it does not go on asking.

use std::sync::Arc;

use aside_core::{ActionId, ActionRecord, ActionState, Failure, Timestamp};
use futures_util::future::BoxFuture;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::{
    Gate, GateError,
    granted::not_granted,
    record::{AWAITING, StoredAction},
};

impl Gate {
    /// Refuses, in the name of the grant, what waits under one that does not hold any more: now and whenever one ends.
    /// Goes on until the Gate is gone, which it does not keep.
    pub fn watch_grants(self: &Arc<Self>) -> BoxFuture<'static, ()> {
        let (gate, grants) = (Arc::downgrade(self), self.grants.clone());
        let (mut tail, mut changes) = (self.store.tail(), self.changes());
        let mut assistant = self.assistant_changes();
        Box::pin(async move {
            loop {
                let Some(gate) = gate.upgrade() else { return };
                let next_end = end_lapsed(&gate).unwrap_or_else(|error| {
                    tracing::warn!(%error, "could not read requests that wait under ended grants");
                    None
                });
                drop(gate);
                tokio::select! {
                    () = grants.stirred(&mut tail, next_end) => {}
                    open = asked_under_a_grant(&mut changes) => if !open { return },
                    open = assistant.changed() => if open.is_err() { return },
                }
            }
        })
    }

    /// Why an action that waits can't run any more, if it can't.
    fn lapsed(&self, action: &StoredAction) -> Result<Option<Failure>, GateError> {
        match self.restricted_away(action) {
            Some(failure) => Ok(Some(failure)),
            None => Ok(self.grants.ended(&action.grant)?),
        }
    }

    /// Whoever decides about it at this moment is let finish: the grant is held against that as well.
    async fn lapse(&self, id: &ActionId) -> Result<(), GateError> {
        let _pass = self.in_flight.enter(format!("action:{id}")).await;
        let action = self.stored(id)?;
        let waits = action.record.state == ActionState::AwaitingConfirmation;
        if let Some(failure) = self.lapsed(&action)?.filter(|_| waits) {
            self.conclude(action, *not_granted(failure)).await?;
        }
        Ok(())
    }
}

/// Ends what has to end, each on its own; returns when the next grant of what waits ends by itself.
fn end_lapsed(gate: &Arc<Gate>) -> Result<Option<Timestamp>, GateError> {
    let mut next_end = None;
    for id in gate.open(AWAITING)? {
        let action = gate.stored(&id)?;
        if gate.lapsed(&action)?.is_none() {
            next_end = action.grant.expires.into_iter().chain(next_end).min();
            continue;
        }
        let gate = gate.clone();
        tokio::spawn(async move {
            if let Err(error) = gate.lapse(&id).await {
                tracing::warn!(%error, action = %id, "could not end a request that waits under an ended grant");
            }
        });
    }
    Ok(next_end)
}

/// Returns true after something was asked under a grant, or may have been; false when nothing can be any more.
async fn asked_under_a_grant(changes: &mut Receiver<Arc<ActionRecord>>) -> bool {
    loop {
        match changes.recv().await {
            Ok(record) if record.state == ActionState::AwaitingConfirmation && is_granted(&record) => return true,
            Ok(_) => {}
            Err(RecvError::Lagged(_)) => return true,
            Err(RecvError::Closed) => return false,
        }
    }
}

fn is_granted(record: &ActionRecord) -> bool {
    record.grant.id.is_some() || !record.grant.within.is_empty()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use aside_core::{Grant, GrantLimits, Outcome, RefusedBy, ReviewMode};
    use futures_util::FutureExt as _;

    use super::*;
    use crate::{
        Submission,
        testing::{Bench, replace},
    };

    fn stored(bench: &Bench, limits: GrantLimits) -> Grant {
        bench.gate.grants().create(Grant::limited("nightly", limits), "ada").unwrap().grant
    }

    async fn asked(bench: &Bench, from: &str, grant: &Grant) -> ActionId {
        let submission = Submission { grant: grant.clone(), ..bench.turn(ReviewMode::ReviewEach) };
        bench.submit(replace(from, "1"), submission).await.record.envelope.id
    }

    fn revoke(bench: &Bench, grant: &Grant) {
        bench.gate.grants().revoke(grant.id.as_ref().unwrap()).unwrap();
    }

    fn refusal(record: &ActionRecord) -> &str {
        match &record.outcome {
            Some(Outcome::Refused { by: RefusedBy::Grant, failure }) => &failure.code,
            other => panic!("{other:?}"),
        }
    }

    fn waiting(bench: &Bench) -> Vec<ActionId> {
        bench.gate.pending().unwrap().into_iter().map(|record| record.envelope.id).collect()
    }

    #[tokio::test]
    async fn what_waits_under_a_grant_leaves_the_list_with_it_and_the_rest_stays() {
        let bench = Bench::new("one two three");
        let (grant, other) = (stored(&bench, GrantLimits::default()), stored(&bench, GrantLimits::default()));
        let own = bench.propose(replace("one", "1")).await.envelope.id;
        let (under, beside) = (asked(&bench, "two", &grant).await, asked(&bench, "three", &other).await);
        let narrowed = Grant::full("Coding Agent").narrowed(&grant);
        let deeper = asked(&bench, "two", &narrowed).await;
        tokio::spawn(bench.gate.watch_grants());
        revoke(&bench, &grant);
        for id in [&under, &deeper] {
            let ended = bench.gate.settled(id).await.unwrap();
            assert_eq!((ended.state, refusal(&ended)), (ActionState::Refused, "grant_revoked"));
            assert_eq!(ended.verdict.reason, "the grant “nightly” was revoked.");
        }
        assert_eq!((waiting(&bench), bench.runs()), (vec![own, beside], 0));
        assert_eq!(bench.audited()[4..], ["refused", "refused"]);
    }

    #[tokio::test]
    async fn what_is_asked_later_ends_with_its_grant_too_also_after_a_restart() {
        let bench = Bench::new("one two");
        tokio::spawn(bench.gate.watch_grants());
        let grant = stored(&bench, GrantLimits::default());
        let first = asked(&bench, "one", &grant).await;
        let bench = bench.reopened();
        revoke(&bench, &grant);
        assert_eq!(waiting(&bench), std::slice::from_ref(&first), "nobody watches yet");
        tokio::spawn(bench.gate.watch_grants());
        assert_eq!(refusal(&bench.gate.settled(&first).await.unwrap()), "grant_revoked");
    }

    #[tokio::test]
    async fn what_waits_under_a_grant_that_expires_ends_then() {
        let bench = Bench::new("one");
        tokio::spawn(bench.gate.watch_grants());
        let grant = stored(&bench, GrantLimits { expires: Some(Timestamp(60_000)), ..GrantLimits::default() });
        // The gate waits for what is left of it, which is half a second.
        bench.clock.store(59_500, Ordering::SeqCst);
        let id = asked(&bench, "one", &grant).await;
        assert!(bench.gate.settled(&id).now_or_never().is_none(), "it has not expired yet");
        bench.clock.store(60_000, Ordering::SeqCst);
        assert_eq!(refusal(&bench.gate.settled(&id).await.unwrap()), "grant_expired");
    }

    #[tokio::test]
    async fn it_does_not_keep_the_gate() {
        let bench = Bench::new("one");
        let watching = tokio::spawn(bench.gate.watch_grants());
        drop(bench);
        watching.await.unwrap();
    }
}
