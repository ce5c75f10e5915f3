//! Brings to the disk what was committed to be there soon, if nobody who waits for the disk has done so by then, and the
//! database up to date with the journal. A thread of its own, started with the first change.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread::JoinHandle,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use crate::writer::Writer;

/// How long something that is to be on the disk soon, or in the database, may wait for company.
const SOON: Duration = Duration::from_millis(250);

pub(crate) struct Flusher {
    database: PathBuf,
    writer: Arc<Writer>,
    /// It was woken and has not looked yet.
    awake: Arc<AtomicBool>,
    thread: Mutex<Option<(mpsc::SyncSender<()>, JoinHandle<()>)>>,
}

impl Flusher {
    pub(crate) fn new(database: PathBuf, writer: Arc<Writer>) -> Self {
        Self { database, writer, awake: Arc::default(), thread: Mutex::default() }
    }

    /// Says that something waits.
    pub(crate) fn wake(&self) {
        if self.awake.swap(true, Ordering::SeqCst) {
            return;
        }
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let (sender, _) = thread.get_or_insert_with(|| {
            let (sender, receiver) = mpsc::sync_channel(1);
            let (database, writer, awake) = (self.database.clone(), self.writer.clone(), self.awake.clone());
            (sender, std::thread::spawn(move || run(&database, &writer, &awake, &receiver)))
        });
        // It only ends early by a panic.
        let _ = sender.try_send(());
    }
}

impl Drop for Flusher {
    fn drop(&mut self) {
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((sender, thread)) = thread {
            drop(sender);
            // It only ends early by a panic, and then there is nothing left to do.
            let _ = thread.join();
        }
    }
}

fn run(database: &Path, writer: &Writer, awake: &AtomicBool, receiver: &mpsc::Receiver<()>) {
    let mut connection = None;
    while receiver.recv().is_ok() {
        if receiver.recv_timeout(SOON) == Err(RecvTimeoutError::Disconnected) {
            // The end of the store brings everything to the disk by itself.
            return;
        }
        // Before it looks, so that nothing that comes meanwhile is forgotten.
        awake.store(false, Ordering::SeqCst);
        // A failure is told to the next who waits for the disk.
        let _ = writer.disk().settle();
        // And these are tried again with the next change.
        if writer.tidy().unwrap_or_default() {
            let _ = shorten(database, &mut connection);
        }
    }
}

/// Copies from the write-ahead log to the database, so that the log is written over from its beginning. A passive
/// checkpoint waits for nobody, and nobody for it.
fn shorten(database: &Path, connection: &mut Option<Connection>) -> rusqlite::Result<()> {
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?),
    };
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Durability, Store, StoreOptions};

    #[test]
    fn a_log_that_was_shortened_holds_nothing_that_is_not_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        store.transaction(Durability::Soon, |transaction| transaction.append("stream", &"soon")).unwrap();
        let database = folder.path().join("aside.db");
        let mut connection = None;
        shorten(&database, &mut connection).unwrap();
        let left = |(busy, log, done): (i64, i64, i64)| busy == 0 && log == done;
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        assert!(left(connection.unwrap().query_row("PRAGMA wal_checkpoint(PASSIVE)", [], row).unwrap()));
    }

    #[test]
    fn the_end_of_the_store_does_not_wait_for_the_moment_to_pass() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..20 {
            let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
            store.transaction(Durability::Soon, |transaction| transaction.append("stream", &"soon")).unwrap();
        }
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        assert_eq!(store.read("stream", 0).unwrap().len(), 20);
    }
}
