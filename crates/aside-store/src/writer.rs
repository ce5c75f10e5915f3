//! The connection that writes, one transaction at a time. Who waits for the disk does so after that, so that others can
//! write meanwhile and the wait is shared.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use rusqlite::{Connection, TransactionBehavior};

use crate::{Durability, LogEntry, StoreError, Transaction, disk::Disk, options::Ids};

pub(crate) struct Writer {
    turn: Mutex<Connection>,
    disk: Disk,
}

impl Writer {
    /// Takes over the connection to a database, which has a write-ahead log.
    pub(crate) fn new(connection: Connection, database: &Path) -> Result<Self, StoreError> {
        Ok(Self { turn: Mutex::new(connection), disk: Disk::of(database)? })
    }

    /// Does some work as one; returns when it is as durable as was asked for. `tell` gets the new entries in the
    /// order of the commits, as soon as others can read them.
    pub(crate) fn transaction<T>(
        &self,
        durability: Durability,
        ids: &Ids,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
        tell: impl Fn(LogEntry),
    ) -> Result<T, StoreError> {
        let (done, commit) = self.commit(durability, ids, work, tell)?;
        if durability == Durability::Full {
            self.disk.wait(commit)?;
        }
        Ok(done)
    }

    /// How far it is on the disk.
    pub(crate) fn disk(&self) -> &Disk {
        &self.disk
    }

    fn commit<T>(
        &self,
        durability: Durability,
        ids: &Ids,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
        tell: impl Fn(LogEntry),
    ) -> Result<(T, u64), StoreError> {
        // What a panic left behind was rolled back.
        let mut connection = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let open = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let transaction = Transaction::new(&open, ids);
        let done = work(&transaction)?;
        let entries = transaction.into_entries();
        open.commit()?;
        let commit = self.disk.committed(durability == Durability::Soon);
        entries.into_iter().for_each(tell);
        Ok((done, commit))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        thread,
    };

    use super::*;
    use crate::{StoreOptions, database::open_writer};

    struct Bench {
        writer: Writer,
        ids: Ids,
        heard: Mutex<Vec<u64>>,
        _folder: tempfile::TempDir,
    }

    impl Bench {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let options = StoreOptions::for_tests();
            let database = folder.path().join("aside.db");
            let writer = Writer::new(open_writer(&database, options.patience).unwrap(), &database).unwrap();
            Self { writer, ids: Ids::new(options), heard: Mutex::default(), _folder: folder }
        }

        fn write<T>(
            &self,
            durability: Durability,
            work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
        ) -> Result<T, StoreError> {
            self.writer.transaction(durability, &self.ids, work, |entry| self.heard.lock().unwrap().push(entry.seq))
        }
    }

    #[test]
    fn many_at_once_are_heard_in_the_order_in_which_they_can_be_read() {
        let bench = Bench::new();
        thread::scope(|scope| {
            for durability in [Durability::Full, Durability::Soon, Durability::Normal, Durability::Full] {
                let bench = &bench;
                scope.spawn(move || {
                    for number in 0..20 {
                        bench.write(durability, |transaction| transaction.append("stream", &number)).unwrap();
                    }
                });
            }
        });
        assert_eq!(*bench.heard.lock().unwrap(), (1..=80).collect::<Vec<_>>());
    }

    #[test]
    fn one_that_waits_for_the_disk_is_there_before_it_returns_and_others_need_not_be() {
        let bench = Bench::new();
        let owes = |durability| {
            bench.write(durability, |transaction| transaction.append("stream", &1)).unwrap();
            bench.writer.disk().owes()
        };
        let all = [Durability::Normal, Durability::Soon, Durability::Normal, Durability::Full].map(owes);
        assert_eq!(all, [false, true, true, false]);
    }

    #[test]
    fn one_that_fails_or_panics_leaves_nothing_and_keeps_nobody_waiting() {
        let bench = Bench::new();
        let failed: Result<(), _> = bench.write(Durability::Full, |transaction| {
            transaction.append("stream", &"lost")?;
            Err(StoreError::unreadable("a test", "on purpose"))
        });
        assert!(failed.is_err());
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            bench.write(Durability::Full, |transaction| -> Result<(), _> {
                transaction.append("stream", &"lost").unwrap();
                panic!("on purpose")
            })
        }));
        assert!(panicked.is_err());
        assert_eq!(bench.write(Durability::Full, |transaction| transaction.append("stream", &"kept")).unwrap(), 1);
        assert_eq!(*bench.heard.lock().unwrap(), [1]);
    }

    #[test]
    fn one_that_is_given_up_by_sqlite_or_refused_at_its_end_fails() {
        let bench = Bench::new();
        let given_up = bench.write(Durability::Full, |transaction| {
            transaction.append("stream", &"lost")?;
            transaction.give_up()
        });
        assert!(given_up.is_err(), "{given_up:?}");
        let tables = "CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED);";
        bench.writer.turn.lock().unwrap().execute_batch(tables).unwrap();
        let refused = bench.write(Durability::Full, |transaction| {
            transaction.append("stream", &"lost")?;
            transaction.break_the_commit()
        });
        assert!(refused.is_err(), "{refused:?}");
        assert_eq!(bench.write(Durability::Full, |transaction| transaction.append("stream", &"kept")).unwrap(), 1);
        assert_eq!(*bench.heard.lock().unwrap(), [1]);
    }
}
