//! Writes what became of actions: the records, the threads' logs and the audit, all or nothing.

use std::sync::{Arc, PoisonError};

use aside_core::{ActionId, ActionRecord, ActionState, ThreadEventBody, Timestamp};
use aside_store::{Batch, Durability, Store, StoreError, Transaction};
use serde_json::Value;

use crate::{
    Gate, GateError,
    idempotency::{self, Key, UsedKey},
    record::{ACTIONS, StoredAction},
    waiting::briefly,
};

/// Writes that belong together.
pub(crate) struct Commit {
    pub(crate) durability: Durability,
    /// Actions as they are now.
    pub(crate) actions: Vec<StoredAction>,
    /// Entries for the audit, in order.
    pub(crate) audit: Vec<Value>,
    /// A key to remember, with what it was used for.
    pub(crate) key: Option<(Key, ActionId)>,
    /// An action that was taken back, and the action that did it.
    pub(crate) taken_back: Option<(ActionId, ActionId)>,
}

impl Commit {
    pub(crate) fn new(durability: Durability, action: &StoredAction, audit: Vec<Value>) -> Self {
        Self { durability, actions: vec![action.clone()], audit, key: None, taken_back: None }
    }
}

impl Gate {
    /// Writes, and then says so to everyone who listens.
    pub(crate) async fn commit(&self, mut commit: Commit) -> Result<(), GateError> {
        {
            let secrets = self.secrets.read().unwrap_or_else(PoisonError::into_inner);
            commit.audit = commit.audit.into_iter().map(|entry| secrets.masked(entry)).collect();
        }
        let (store, records) = (self.store.clone(), commit.audit.len());
        let write = move || commit.write(&store);
        for record in briefly(write).await?? {
            self.announce(record);
        }
        self.index_if_many(records);
        Ok(())
    }

    /// Writes audit entries that belong to no change of an action.
    pub(crate) async fn note(&self, audit: Vec<Value>) -> Result<(), GateError> {
        let durability = Durability::Soon;
        self.commit(Commit { durability, actions: Vec::new(), audit, key: None, taken_back: None }).await
    }

    pub(crate) fn announce(&self, record: ActionRecord) {
        // Nobody may be listening.
        let _ = self.changes.send(Arc::new(record));
    }
}

impl Commit {
    fn write(self, store: &Store) -> Result<Vec<ActionRecord>, StoreError> {
        let durability = self.durability;
        let Some((original, by)) = &self.taken_back else {
            store.write(durability, self.batch(store.now(), &[])?)?;
            return Ok(self.actions.into_iter().map(|action| action.record).collect());
        };
        let others = store.transaction(durability, |transaction| {
            let others = taken_back(transaction, original, by)?;
            transaction.write(self.batch(transaction.now(), &others)?)?;
            Ok(others)
        })?;
        Ok(self.actions.into_iter().chain(others).map(|action| action.record).collect())
    }

    /// What is written at this time, with others that change by it.
    fn batch(&self, now: Timestamp, others: &[StoredAction]) -> Result<Batch, StoreError> {
        let mut batch = Batch::default();
        for action in self.actions.iter().chain(others) {
            action.write(&mut batch)?;
            if let Some(thread) = action.record.origin.thread() {
                let event = ThreadEventBody::ActionChanged { record: Box::new(action.record.clone()) };
                batch.append(thread.as_str(), now, &event)?;
            }
        }
        self.audit.iter().for_each(|entry| batch.chain_append(entry));
        if let Some((key, action)) = &self.key {
            let used = UsedKey { action: action.clone(), request: key.request.clone() };
            batch.put(idempotency::KIND, key.scoped.as_str(), None, &used)?;
        }
        Ok(batch)
    }
}

/// Marks an action as undone. If it was an undo itself, what it had taken back is done again, and so on
/// down the chain.
fn taken_back(
    transaction: &Transaction<'_>,
    original: &ActionId,
    by: &ActionId,
) -> Result<Vec<StoredAction>, StoreError> {
    let mut changed = Vec::new();
    let (mut next, mut undone_by) = (Some(original.clone()), Some(by.clone()));
    while let Some(id) = next.take() {
        let Some(mut action) = transaction.get::<StoredAction>(ACTIONS, id.as_str())? else { break };
        let undone = undone_by.is_some();
        action.record.state = if undone { ActionState::Undone } else { action.ended_as() };
        action.record.undone_by = undone_by;
        action.record.can_undo = action.undoable(transaction.now());
        undone_by = (!undone).then(|| id.clone());
        next = action.record.undoes.clone();
        changed.push(action);
    }
    Ok(changed)
}
