//! The keys of what was sent last: who did not hear the answer sends it again, and it is done once.

use aside_core::{Thread, ThreadId, TurnId};
use aside_store::{Store, StoreError, Transaction};
use serde::{Deserialize, Serialize};

use crate::threads;

/// Newest messages that had a key, by thread, as [`Sent`].
const SENT: &str = "sent_message";
/// The newest threads that were begun with a key, as one record: the oldest first, as [`Begun`].
const BEGUN: &str = "begun_threads";
/// Of so many threads the keys are remembered.
const MOST_BEGUN: usize = 100;
/// Bytes of a key.
pub(crate) const LONGEST_KEY: usize = 64;

#[derive(Serialize, Deserialize)]
struct Sent {
    key: String,
    turn: TurnId,
}

#[derive(Serialize, Deserialize)]
struct Begun {
    key: String,
    thread: ThreadId,
}

/// Returns the turn that the newest message of a thread began, if it had this key.
pub(crate) fn turn_of(store: &Store, thread: &ThreadId, key: Option<&str>) -> Result<Option<TurnId>, StoreError> {
    let Some(key) = key else { return Ok(None) };
    let sent = store.get::<Sent>(SENT, thread.as_str())?;
    Ok(sent.filter(|sent| sent.key == key).map(|sent| sent.turn))
}

/// Returns the thread that was begun with this key, if it is one of the newest.
pub(crate) fn thread_of(transaction: &Transaction<'_>, key: Option<&str>) -> Result<Option<Thread>, StoreError> {
    let Some(key) = key else { return Ok(None) };
    match begun(transaction)?.into_iter().find(|begun| begun.key == key) {
        Some(Begun { thread, .. }) => transaction.get(threads::KIND, thread.as_str()),
        None => Ok(None),
    }
}

/// Remembers the key of a thread that has begun.
pub(crate) fn note_begun(
    transaction: &Transaction<'_>,
    thread: &ThreadId,
    key: Option<String>,
) -> Result<(), StoreError> {
    let Some(key) = key else { return Ok(()) };
    let mut all = begun(transaction)?;
    all.retain(|begun| begun.key != key);
    all.push(Begun { key, thread: thread.clone() });
    all.drain(..all.len().saturating_sub(MOST_BEGUN));
    transaction.put(BEGUN, BEGUN, None, &all)
}

fn begun(transaction: &Transaction<'_>) -> Result<Vec<Begun>, StoreError> {
    Ok(transaction.get(BEGUN, BEGUN)?.unwrap_or_default())
}

/// Remembers the key of a message that is the newest now.
pub(crate) fn note(
    transaction: &Transaction<'_>,
    thread: &ThreadId,
    turn: &TurnId,
    key: Option<String>,
) -> Result<(), StoreError> {
    match key {
        Some(key) => transaction.put(SENT, thread.as_str(), None, &Sent { key, turn: turn.clone() }),
        None => forget(transaction, thread),
    }
}

/// Forgets the key of a thread.
pub(crate) fn forget(transaction: &Transaction<'_>, thread: &ThreadId) -> Result<(), StoreError> {
    transaction.delete(SENT, thread.as_str()).map(drop)
}
