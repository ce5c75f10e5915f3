//! The key of a thread's newest message: who did not hear the answer sends it again, and it is asked once.

use aside_core::{ThreadId, TurnId};
use aside_store::{Store, StoreError, Transaction};
use serde::{Deserialize, Serialize};

/// Newest messages that had a key, by thread, as [`Sent`].
const SENT: &str = "sent_message";
/// Bytes of a key.
pub(crate) const LONGEST_KEY: usize = 64;

#[derive(Serialize, Deserialize)]
struct Sent {
    key: String,
    turn: TurnId,
}

/// Returns the turn that the newest message of a thread began, if it had this key.
pub(crate) fn turn_of(store: &Store, thread: &ThreadId, key: Option<&str>) -> Result<Option<TurnId>, StoreError> {
    let Some(key) = key else { return Ok(None) };
    let sent = store.get::<Sent>(SENT, thread.as_str())?;
    Ok(sent.filter(|sent| sent.key == key).map(|sent| sent.turn))
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
