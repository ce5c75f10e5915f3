//! Threads that were deleted: out of every list, and whole again if it is taken back within [`KEPT_FOR`] days.
//!
//! ```text
//! listed --thread.delete--> kept apart --thread.restore--> listed
//!                               +--- 7 days ---> gone, with its log
//! ```

use std::collections::HashSet;

use aside_core::{Thread, ThreadId, Timestamp};
use aside_store::{Durability, Store, StoreError, Transaction};
use serde::{Deserialize, Serialize};

use super::{KIND, make_room, write};
use crate::{agents::OPEN_TURN, error::AgentError, sent};

/// Threads that were deleted, by id, as [`Deleted`].
const DELETED: &str = "deleted_thread";
/// Days for which a deleted thread is kept.
pub const KEPT_FOR: i64 = 7;
/// The stream on which the id of a thread is said that was deleted.
pub const DELETED_NEWS: &str = "deleted_threads";

#[derive(Serialize, Deserialize)]
struct Deleted {
    thread: Thread,
    at: Timestamp,
}

/// Takes a thread out of the list. One whose turn is not over stays.
pub(super) fn delete(store: &Store, id: &ThreadId) -> Result<Thread, AgentError> {
    let deleted = store.transaction(Durability::Full, |transaction| {
        let Some(thread) = transaction.get::<Thread>(KIND, id.as_str())? else {
            return Ok(Err(AgentError::NotFound(id.clone())));
        };
        if is_open(transaction, id)? {
            return Ok(Err(AgentError::Busy));
        }
        purge(transaction)?;
        transaction.delete(KIND, id.as_str())?;
        let at = transaction.now();
        transaction.put(DELETED, id.as_str(), None, &Deleted { thread: thread.clone(), at })?;
        Ok(Ok(thread))
    })??;
    store.publish(DELETED_NEWS, id)?;
    Ok(deleted)
}

/// Puts a deleted thread back into the list. `protected` ones stay in it.
pub(super) fn restore(store: &Store, id: &ThreadId, protected: &HashSet<ThreadId>) -> Result<Thread, AgentError> {
    store.transaction(Durability::Full, |transaction| {
        let Some(Deleted { thread, at }) = transaction.get(DELETED, id.as_str())? else {
            return Ok(Err(AgentError::NotFound(id.clone())));
        };
        if is_over(at, transaction.now()) {
            return Ok(Err(AgentError::NotFound(id.clone())));
        }
        transaction.delete(DELETED, id.as_str())?;
        if !thread.archived {
            make_room(transaction, &thread, protected)?;
        }
        write(transaction, &thread)?;
        Ok(Ok(thread))
    })?
}

/// Returns a thread that was deleted and can be put back.
pub(super) fn deleted(store: &Store, id: &ThreadId) -> Result<Thread, AgentError> {
    let found = store.get::<Deleted>(DELETED, id.as_str())?.filter(|deleted| !is_over(deleted.at, store.now()));
    found.map(|deleted| deleted.thread).ok_or_else(|| AgentError::NotFound(id.clone()))
}

/// Tells whether a turn of the thread runs or waits for a person.
pub(super) fn is_busy(store: &Store, id: &ThreadId) -> Result<bool, StoreError> {
    Ok(store.get::<serde_json::Value>(OPEN_TURN, id.as_str())?.is_some())
}

pub(super) fn is_open(transaction: &Transaction<'_>, id: &ThreadId) -> Result<bool, StoreError> {
    Ok(transaction.get::<serde_json::Value>(OPEN_TURN, id.as_str())?.is_some())
}

/// Those whose days are over go for good. Only when another is deleted: a read removes nothing.
fn purge(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    for Deleted { thread, at } in transaction.list::<Deleted>(DELETED)? {
        if is_over(at, transaction.now()) {
            transaction.delete(DELETED, thread.id.as_str())?;
            transaction.delete_log(thread.id.as_str())?;
            sent::forget(transaction, &thread.id)?;
        }
    }
    Ok(())
}

fn is_over(at: Timestamp, now: Timestamp) -> bool {
    at.plus(KEPT_FOR * 24 * 60 * 60 * 1000) < now
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    };

    use aside_store::StoreOptions;

    use super::*;
    use crate::threads::{NewThread, create, events, list};

    const DAY: i64 = 24 * 60 * 60 * 1000;

    /// A store whose clock the test moves.
    fn store(time: &Arc<AtomicI64>) -> (tempfile::TempDir, Arc<Store>) {
        let (folder, time) = (tempfile::tempdir().unwrap(), time.clone());
        let clock = Arc::new(move || Timestamp(time.load(Ordering::Relaxed)));
        let store = Store::open(folder.path(), StoreOptions { clock, ..StoreOptions::for_tests() }).unwrap();
        (folder, store)
    }

    #[test]
    fn a_deleted_thread_is_in_no_list_and_whole_again_when_that_is_taken_back() {
        let time = Arc::new(AtomicI64::new(DAY));
        let (_folder, store) = store(&time);
        let thread = create(&store, NewThread::default(), &HashSet::new()).unwrap();
        assert_eq!(delete(&store, &thread.id).unwrap(), thread);
        assert!(list(&store, None).unwrap().is_empty());
        assert!(matches!(delete(&store, &thread.id), Err(AgentError::NotFound(_))));
        time.fetch_add(6 * DAY, Ordering::Relaxed);
        assert_eq!(restore(&store, &thread.id, &HashSet::new()).unwrap(), thread);
        assert_eq!(list(&store, None).unwrap(), std::slice::from_ref(&thread));
        assert_eq!(events(&store, &thread.id, 0).unwrap().len(), 2, "its log is whole");
    }

    #[test]
    fn after_its_days_it_is_gone_with_its_log_but_only_by_a_write() {
        let time = Arc::new(AtomicI64::new(DAY));
        let (_folder, store) = store(&time);
        let thread = create(&store, NewThread::default(), &HashSet::new()).unwrap();
        delete(&store, &thread.id).unwrap();
        time.fetch_add(8 * DAY, Ordering::Relaxed);
        assert!(matches!(restore(&store, &thread.id, &HashSet::new()), Err(AgentError::NotFound(_))));
        list(&store, None).unwrap();
        assert_eq!(store.read(thread.id.as_str(), 0).unwrap().len(), 1, "a read removes nothing");
        let other = create(&store, NewThread::default(), &HashSet::new()).unwrap();
        delete(&store, &other.id).unwrap();
        assert!(store.read(thread.id.as_str(), 0).unwrap().is_empty());
    }

    #[test]
    fn a_thread_that_works_or_waits_is_not_deleted() {
        let (_folder, store) = store(&Arc::new(AtomicI64::new(DAY)));
        let thread = create(&store, NewThread::default(), &HashSet::new()).unwrap();
        store.put(OPEN_TURN, thread.id.as_str(), None, &"a turn").unwrap();
        assert!(matches!(delete(&store, &thread.id), Err(AgentError::Busy)));
        assert!(is_busy(&store, &thread.id).unwrap());
    }
}
