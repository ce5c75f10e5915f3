//! The keys of what was sent last: who did not hear the answer sends it again, and it is done once.

use aside_core::{Attached, Sha256, Thread, ThreadId, TurnId};
use aside_store::{Store, StoreError, Transaction};
use serde::{Deserialize, Serialize};

use crate::{error::AgentError, message::Message, threads};

/// The newest messages that had a key, as one record for each thread: the oldest first, as [`Sent`].
const SENT: &str = "sent_messages";
/// So many messages of a thread are known again.
const MOST_SENT: usize = 100;
/// The newest threads that were begun with a key, as one record: the oldest first, as [`Begun`].
const BEGUN: &str = "begun_threads";
/// Of so many threads the keys are remembered.
const MOST_BEGUN: usize = 100;
/// Bytes of a key.
pub(crate) const LONGEST_KEY: usize = 64;

/// A message that began a turn.
#[derive(Serialize, Deserialize)]
pub(crate) struct Sent {
    key: String,
    message: Sha256,
    turn: TurnId,
}

impl Sent {
    /// Returns what is to be remembered of a message, if it has a key.
    pub(crate) fn of(message: &Message, turn: &TurnId) -> Option<Self> {
        let key = message.key.clone()?;
        Some(Self { key, message: hash(message), turn: turn.clone() })
    }
}

#[derive(Serialize, Deserialize)]
struct Begun {
    key: String,
    thread: ThreadId,
}

/// Returns the turn that a message has begun before, by its key. Fails if the key was another message's.
pub(crate) fn turn_of(store: &Store, thread: &ThreadId, message: &Message) -> Result<Option<TurnId>, AgentError> {
    let Some(key) = &message.key else { return Ok(None) };
    let sent: Vec<Sent> = store.get(SENT, thread.as_str())?.unwrap_or_default();
    match sent.into_iter().find(|sent| sent.key == *key) {
        Some(sent) if sent.message != hash(message) => Err(AgentError::KeyReused(sent.turn)),
        found => Ok(found.map(|sent| sent.turn)),
    }
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

/// Remembers a message that begins a turn.
pub(crate) fn note(transaction: &Transaction<'_>, thread: &ThreadId, sent: Sent) -> Result<(), StoreError> {
    let mut all: Vec<Sent> = transaction.get(SENT, thread.as_str())?.unwrap_or_default();
    all.push(sent);
    all.drain(..all.len().saturating_sub(MOST_SENT));
    transaction.put(SENT, thread.as_str(), None, &all)
}

/// Forgets the keys of a thread.
pub(crate) fn forget(transaction: &Transaction<'_>, thread: &ThreadId) -> Result<(), StoreError> {
    transaction.delete(SENT, thread.as_str()).map(drop)
}

/// What was said, with what the person sent along; what a word with a slash stands for follows from that.
fn hash(message: &Message) -> Sha256 {
    let attached = message.attached.iter().filter(|attached| !matches!(attached, Attached::Command { .. }));
    Sha256::of_json(&(&message.text, attached.collect::<Vec<_>>(), &message.seed))
}
