//! Brings to the disk what was committed to be there soon, if no transaction that waits for the disk has done so
//! by then. A thread of its own, started with the first such commit.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::JoinHandle,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use crate::writer::Writer;

/// How long something that is to be on the disk soon may wait for company.
const SOON: Duration = Duration::from_millis(250);

pub(crate) struct Flusher {
    database: PathBuf,
    writer: Arc<Writer>,
    thread: Mutex<Option<(mpsc::SyncSender<()>, JoinHandle<()>)>>,
}

impl Flusher {
    pub(crate) fn new(database: PathBuf, writer: Arc<Writer>) -> Self {
        Self { database, writer, thread: Mutex::default() }
    }

    /// Says that something waits.
    pub(crate) fn wake(&self) {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let (sender, _) = thread.get_or_insert_with(|| {
            let (sender, receiver) = mpsc::sync_channel(1);
            let (database, writer) = (self.database.clone(), self.writer.clone());
            (sender, std::thread::spawn(move || run(&database, &writer, &receiver)))
        });
        // If it was said before, that is enough.
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

fn run(database: &std::path::Path, writer: &Writer, receiver: &mpsc::Receiver<()>) {
    let mut connection = None;
    while receiver.recv().is_ok() {
        // The end of the store brings everything to the disk by itself.
        let ended = wait_out(receiver);
        if !ended && writer.disk().owes() {
            // A failure is told to the next who waits for the disk.
            let _ = writer.disk().settle();
            // And this one is tried again with the next commit.
            let _ = shorten(database, &mut connection);
        }
    }
}

/// Lets the moment pass; tells whether the store ended in it.
fn wait_out(receiver: &mpsc::Receiver<()>) -> bool {
    let until = std::time::Instant::now() + SOON;
    loop {
        match receiver.recv_timeout(until.saturating_duration_since(std::time::Instant::now())) {
            Ok(()) => {}
            Err(mpsc::RecvTimeoutError::Timeout) => return false,
            Err(mpsc::RecvTimeoutError::Disconnected) => return true,
        }
    }
}

/// Copies from the write-ahead log to the database, so that the log is written over from its beginning. A passive
/// checkpoint waits for nobody, and nobody for it.
fn shorten(database: &std::path::Path, connection: &mut Option<Connection>) -> rusqlite::Result<()> {
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
