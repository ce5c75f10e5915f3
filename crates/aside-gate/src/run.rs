//! Runs a handler between two entries of the audit: the intent before, the outcome after.

use aside_core::{ActionId, ActionState, Failure, Outcome};
use aside_store::Durability;
use serde_json::Value;

use crate::{
    Gate, GateError, Handler, Run,
    audit::{self, Kind},
    call,
    idempotency::Key,
    journal::Commit,
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
        self.intend(&mut action, before, key).await?;
        let context = self.context(&action);
        let result = call::run(handler, &context, &action.record.envelope.args).await;
        self.settle(action, result).await
    }

    async fn intend(
        &self,
        action: &mut StoredAction,
        mut before: Vec<Value>,
        key: Option<Key>,
    ) -> Result<(), GateError> {
        action.record.state = ActionState::Running;
        before.push(audit::entry(Kind::Intent, self.store.now(), &action.record));
        let mut commit = Commit::new(durability(action), action, before);
        commit.key = key.map(|key| (key, action.id().clone()));
        self.commit(commit).await
    }

    async fn settle(&self, mut action: StoredAction, result: Result<Run, Failure>) -> Result<StoredAction, GateError> {
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
        let mut commit = Commit::new(durability(&action), &action, vec![audit::outcome(now, &action.record, &changed)]);
        commit.taken_back = taken_back(&action);
        match self.commit(commit).await {
            Ok(()) => Ok(action),
            Err(error) => Err(self.lost(action, error)),
        }
    }

    /// It ran, and that can't be written down: those who wait are told, the store still has the intent.
    fn lost(&self, mut action: StoredAction, error: GateError) -> GateError {
        tracing::error!(action = %action.id(), %error, "an outcome could not be written");
        let reason = format!("it ran, but its outcome could not be written: {error}");
        action.end(Outcome::Interrupted { reason }, self.store.now());
        self.announce(action.record);
        error
    }
}

/// Looking is recorded without waiting for the disk.
fn durability(action: &StoredAction) -> Durability {
    if action.record.envelope.risk_level.is_read_only() { Durability::Normal } else { Durability::Full }
}

fn taken_back(action: &StoredAction) -> Option<(ActionId, ActionId)> {
    let original = action.record.undoes.clone().filter(|_| action.record.state == ActionState::Done)?;
    Some((original, action.id().clone()))
}
