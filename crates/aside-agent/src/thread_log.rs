//! The log of a thread from a message to the end of its turn: it is long, and every step looks at it several times, so
//! each event is read once.

use std::sync::{Arc, Mutex, PoisonError};

use aside_core::{ThreadEventBody, ThreadId};
use aside_store::{Store, StoreError};

use crate::threads;

/// What was read of a thread's log.
#[derive(Debug, Default)]
pub(crate) struct ThreadLog(Mutex<Read>);

#[derive(Debug, Default)]
struct Read {
    /// The `seq` of the last one.
    last: u64,
    bodies: Arc<Vec<ThreadEventBody>>,
}

impl ThreadLog {
    /// All of the log as it is now.
    ///
    /// # Errors
    /// If what is new can't be read.
    pub fn read(&self, store: &Store, thread: &ThreadId) -> Result<Arc<Vec<ThreadEventBody>>, StoreError> {
        let mut read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new = threads::events(store, thread, read.last)?;
        read.last = new.last().map_or(read.last, |event| event.seq);
        if !new.is_empty() {
            Arc::make_mut(&mut read.bodies).extend(new.into_iter().map(|event| event.body));
        }
        Ok(Arc::clone(&read.bodies))
    }
}
