//! The one that writes: a change at a time, to the journal and to the database. Who waits for the disk does so after
//! that, so that others can write meanwhile and the wait is shared.
//!
//! ```text
//! batch:        journal |.. disk ..|       the database has it a moment later, or when somebody looks for it
//! transaction:  database, journal |.. disk ..|
//! ```
//!
//! What the database has on the disk, and then the journal: that is all there is. So the journal begins anew only after
//! the database's own log was brought to the disk. The database knows up to which position of the journal it has
//! everything, so that nothing is carried out twice.

use std::{
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rusqlite::Connection;

use crate::{
    Batch, Durability, LogEntry, StoreError, Transaction,
    disk::Disk,
    journal::Record,
    options::Ids,
    turn::Turn,
    waiting::{Place, Waiting},
    write::encode,
};

/// Writes that come to the database in one go while others may want to write: a millisecond's work.
const AT_ONCE: usize = 64;
/// How long others have between two such.
const BETWEEN: Duration = Duration::from_micros(200);

pub(crate) struct Writer {
    turn: Mutex<Turn>,
    /// What a reader has to look at. Locked after the turn, or without it.
    waiting: Mutex<Waiting>,
    disk: Disk,
}

impl Writer {
    /// Takes over the connection to a database, which has a write-ahead log, and carries out what the journal beside it
    /// has and it has not. The journal gets up to so many bytes.
    pub(crate) fn new(connection: Connection, database: &Path, room: u64) -> Result<Self, StoreError> {
        let (turn, records) = Turn::new(connection, database, room)?;
        let disk = turn.journal.disk()?;
        let writer = Self { turn: Mutex::new(turn), waiting: Mutex::default(), disk };
        writer.replay(records)?;
        Ok(writer)
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
        let mut turn = self.open_turn()?;
        turn.drain(&mut self.waiting())?;
        let (done, entries) = self.commit(&mut turn, ids, work)?;
        self.end(turn, durability, entries, tell)?;
        Ok(done)
    }

    /// The same for writes that need no look at what is there; returns the positions of their entries.
    pub(crate) fn write(
        &self,
        durability: Durability,
        ids: &Ids,
        batch: Batch,
        tell: impl Fn(LogEntry),
    ) -> Result<Vec<u64>, StoreError> {
        let mut turn = self.open_turn()?;
        let entries = match self.note(&mut turn, &batch)? {
            Some(entries) => {
                self.waiting().add(turn.last, batch.into_writes(), &entries);
                entries
            }
            None => self.commit(&mut turn, ids, |transaction| transaction.write(batch))?.1,
        };
        let positions = entries.iter().map(|entry| entry.seq).collect();
        self.end(turn, durability, entries, tell)?;
        Ok(positions)
    }

    /// Brings the database up to date, if something waits for this place.
    pub(crate) fn ready(&self, place: Place<'_>) -> Result<(), StoreError> {
        if !self.waiting().is_at(place) {
            return Ok(());
        }
        self.turn().drain(&mut self.waiting())
    }

    /// What [`Waiting::record`] says of a record.
    pub(crate) fn record(&self, kind: &str, id: &str) -> Option<Option<String>> {
        self.waiting().record(kind, id).map(|body| body.map(str::to_owned))
    }

    /// How far it is on the disk.
    pub(crate) fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Tells whether there is something to tidy, or to bring to the disk soon.
    pub(crate) fn is_behind(&self) -> bool {
        self.disk.owes() || !self.waiting().is_empty()
    }

    /// Brings the database up to date, and lets a journal that is half full begin anew; tells whether it did. Who writes
    /// meanwhile waits for a part of that at most.
    pub(crate) fn tidy(&self) -> Result<bool, StoreError> {
        while !self.tidy_some(AT_ONCE)? {
            // A lock that is taken again at once is not given to those who wait for it.
            std::thread::sleep(BETWEEN);
        }
        let mut turn = self.turn();
        turn.drain(&mut self.waiting())?;
        let full = turn.journal.is_half_full();
        if full {
            self.clear(&mut turn)?;
        }
        Ok(full)
    }

    /// Brings about so many writes into the database; tells whether that was all.
    pub(crate) fn tidy_some(&self, writes: usize) -> Result<bool, StoreError> {
        self.turn().drain_some(writes, &mut self.waiting())
    }

    /// Brings all there is into the database's own file and to the disk. From then on nobody writes, whatever comes of it.
    pub(crate) fn rest(&self) -> Result<(), StoreError> {
        let mut turn = self.turn();
        turn.at_rest = true;
        turn.drain(&mut self.waiting())?;
        if !turn.journal.is_clear() {
            self.clear(&mut turn)?;
        }
        turn.empty_log()
    }

    /// Keeps everybody from writing for as long as what is returned lives.
    #[cfg(test)]
    pub(crate) fn hold(&self) -> impl Drop {
        self.turn()
    }

    fn replay(&self, records: Vec<Record>) -> Result<(), StoreError> {
        let mut turn = self.turn();
        for Record { position, writes } in records {
            match position.checked_sub(turn.last) {
                None | Some(0) => {}
                Some(1) => {
                    turn.last = position;
                    self.waiting().add(position, writes, &[]);
                }
                // Another file was put in the database's place: what came after what is missing does not fit it.
                Some(_) => break,
            }
        }
        turn.drain(&mut self.waiting())?;
        if turn.journal.is_clear() { Ok(()) } else { self.clear(&mut turn) }
    }

    fn commit<T>(
        &self,
        turn: &mut Turn,
        ids: &Ids,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<(T, Vec<LogEntry>), StoreError> {
        let (done, entries, writes) = turn.commit(ids, work)?;
        // What does not get into the journal has to be on the disk elsewhere, and with it all before. It is committed:
        // that this failed is told to those who wait for the disk.
        if !turn.journal.append(turn.last, &encode(&writes)).unwrap_or_default() {
            let _ = self.clear(turn);
        }
        Ok((done, entries))
    }

    /// Writes a batch to the journal; returns its entries, or none if there is no room even when it begins anew. Then the
    /// database is up to date.
    fn note(&self, turn: &mut Turn, batch: &Batch) -> Result<Option<Vec<LogEntry>>, StoreError> {
        let entries = turn.entries(&self.waiting(), batch.writes())?;
        let (bytes, position) = (encode(batch.writes()), turn.last + 1);
        let mut noted = turn.journal.append(position, &bytes)?;
        if !noted {
            turn.drain(&mut self.waiting())?;
            if !turn.journal.is_clear() {
                self.clear(turn)?;
                noted = turn.journal.append(position, &bytes)?;
            }
        }
        if noted {
            turn.last = position;
        }
        Ok(noted.then_some(entries))
    }

    /// Brings the database, which is up to date, to the disk, and lets the journal begin anew.
    fn clear(&self, turn: &mut Turn) -> Result<(), StoreError> {
        turn.log.sync_data().map_err(|source| {
            self.disk.fail(&source);
            StoreError::Io { doing: "flush", path: turn.log_path.clone(), source }
        })?;
        turn.journal.clear();
        Ok(())
    }

    fn end(
        &self,
        turn: MutexGuard<'_, Turn>,
        durability: Durability,
        entries: Vec<LogEntry>,
        tell: impl Fn(LogEntry),
    ) -> Result<(), StoreError> {
        let commit = self.disk.committed(durability == Durability::Soon);
        entries.into_iter().for_each(tell);
        drop(turn);
        if durability == Durability::Full { self.disk.wait(commit) } else { Ok(()) }
    }

    fn open_turn(&self) -> Result<MutexGuard<'_, Turn>, StoreError> {
        let turn = self.turn();
        if turn.at_rest { Err(StoreError::AtRest) } else { Ok(turn) }
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        // What a panic left behind was rolled back.
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // If it fails, the next start does it.
        let _ = self.turn().drain(&mut self.waiting());
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
            let connection = open_writer(&database, options.patience).unwrap();
            let writer = Writer::new(connection, &database, options.journal).unwrap();
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
        bench.writer.turn.lock().unwrap().connection.execute_batch(tables).unwrap();
        let refused = bench.write(Durability::Full, |transaction| {
            transaction.append("stream", &"lost")?;
            transaction.break_the_commit()
        });
        assert!(refused.is_err(), "{refused:?}");
        assert_eq!(bench.write(Durability::Full, |transaction| transaction.append("stream", &"kept")).unwrap(), 1);
        assert_eq!(*bench.heard.lock().unwrap(), [1]);
    }
}
