//! The connection that writes. Transactions that come while another is on its way to the disk are committed
//! together, so that many wait for the disk once.
//!
//! ```text
//! one:    begin | work | commit ........ disk ........ |
//! two:       waits for its turn                        | begin | work |
//! three:        waits for its turn                     |              | work | commit ... disk ... |
//!                                                       two and three: one commit, both then return
//! ```
//!
//! Each runs in a savepoint of its own: one that fails leaves nothing and spoils nothing for the others. Who
//! finds nobody waiting commits for all; if that fails, it fails for all of them.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use rusqlite::Connection;

use crate::{Durability, LogEntry, StoreError, Transaction, options::Ids};

/// The most transactions in one commit.
const MOST: usize = 64;

pub(crate) struct Writer {
    /// How many wait for their turn.
    waiting: AtomicUsize,
    turn: Mutex<Turn>,
    /// Something was committed that is to be on the disk soon and may not be yet.
    unsynced: AtomicBool,
    #[cfg(test)]
    commits: AtomicUsize,
}

struct Turn {
    connection: Connection,
    synchronous: Option<bool>,
    group: Option<Group>,
}

/// Transactions that are begun and not committed.
struct Group {
    full: bool,
    soon: bool,
    members: usize,
    entries: Vec<LogEntry>,
    end: Arc<End>,
}

/// How a group ended, for those who wait for it.
#[derive(Default)]
struct End {
    result: Mutex<Option<Result<(), Arc<rusqlite::Error>>>>,
    known: Condvar,
}

impl Writer {
    pub(crate) fn new(connection: Connection) -> Self {
        let turn = Mutex::new(Turn { connection, synchronous: None, group: None });
        Self {
            waiting: AtomicUsize::default(),
            turn,
            unsynced: AtomicBool::default(),
            #[cfg(test)]
            commits: AtomicUsize::default(),
        }
    }

    /// Does some work as one; returns when it is as durable as was asked for. `tell` gets the new entries in the
    /// order of the commits.
    pub(crate) fn transaction<T>(
        &self,
        durability: Durability,
        ids: &Ids,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
        tell: impl Fn(LogEntry),
    ) -> Result<T, StoreError> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        let end = self.join(&mut turn, durability, &tell)?;
        // A panic is the caller's own; it must not leave the others waiting.
        let worked = catch_unwind(AssertUnwindSafe(|| turn.work(ids, work)));
        // SQLite gives up the whole group when the disk is full: nobody may go on as if it were there.
        let gone = turn.connection.is_autocommit();
        let last = gone || self.waiting.load(Ordering::SeqCst) == 0 || turn.is_full();
        if last {
            self.commit(&mut turn, &tell);
        }
        drop(turn);
        match worked {
            Ok(Ok(done)) => end.wait().map(|()| done),
            Ok(Err(error)) => Err(error),
            Err(panic) => resume_unwind(panic),
        }
    }

    /// Tells whether something waits to be on the disk soon.
    pub(crate) fn is_unsynced(&self) -> bool {
        self.unsynced.load(Ordering::SeqCst)
    }

    /// Says that all that was committed before is on the disk.
    pub(crate) fn synced(&self) {
        self.unsynced.store(false, Ordering::SeqCst);
    }

    /// Joins the open group, or begins one. A group that doesn't wait for the disk ends before one that does.
    fn join(&self, turn: &mut Turn, durability: Durability, tell: &impl Fn(LogEntry)) -> Result<Arc<End>, StoreError> {
        let full = durability == Durability::Full;
        if full && turn.group.as_ref().is_some_and(|group| !group.full) {
            self.commit(turn, tell);
        }
        if turn.group.is_none() {
            turn.begin(full)?;
        }
        let group = turn.group.get_or_insert_with(|| Group {
            full,
            soon: false,
            members: 0,
            entries: Vec::new(),
            end: Arc::default(),
        });
        group.members += 1;
        group.soon |= durability == Durability::Soon;
        Ok(group.end.clone())
    }

    /// Ends the group for everyone in it. Still in turn, so that listeners hear entries in the order of commits.
    fn commit(&self, turn: &mut Turn, tell: &impl Fn(LogEntry)) {
        let Some(group) = turn.group.take() else { return };
        #[cfg(test)]
        self.commits.fetch_add(1, Ordering::SeqCst);
        let result = turn.connection.execute_batch("COMMIT");
        match &result {
            Ok(()) => {
                if group.full {
                    self.unsynced.store(false, Ordering::SeqCst);
                } else if group.soon {
                    self.unsynced.store(true, Ordering::SeqCst);
                }
                group.entries.into_iter().for_each(tell);
            }
            // It may have been rolled back already, which is as good.
            Err(_) => drop(turn.connection.execute_batch("ROLLBACK")),
        }
        group.end.tell(result.map_err(Arc::new));
    }
}

impl Turn {
    fn begin(&mut self, full: bool) -> Result<(), StoreError> {
        // It can't be changed within a transaction.
        if self.synchronous != Some(full) {
            self.connection.pragma_update(None, "synchronous", if full { "FULL" } else { "NORMAL" })?;
            self.synchronous = Some(full);
        }
        Ok(self.connection.execute_batch("BEGIN IMMEDIATE")?)
    }

    fn work<T>(
        &mut self,
        ids: &Ids,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // Rolls back when it is dropped, in a panic too.
        let savepoint = self.connection.savepoint()?;
        let transaction = Transaction::new(&savepoint, ids);
        let done = work(&transaction)?;
        let entries = transaction.into_entries();
        savepoint.commit()?;
        self.group.as_mut().expect("it was joined before the work").entries.extend(entries);
        Ok(done)
    }

    fn is_full(&self) -> bool {
        self.group.as_ref().is_some_and(|group| group.members >= MOST)
    }
}

impl End {
    fn tell(&self, result: Result<(), Arc<rusqlite::Error>>) {
        *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        self.known.notify_all();
    }

    fn wait(&self) -> Result<(), StoreError> {
        let mut result = self.result.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &*result {
                Some(ended) => return ended.clone().map_err(StoreError::Commit),
                None => result = self.known.wait(result).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread};

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
            let writer = Writer::new(open_writer(&folder.path().join("aside.db"), options.patience).unwrap());
            Self { writer, ids: Ids::new(options), heard: Mutex::default(), _folder: folder }
        }

        fn write<T>(
            &self,
            durability: Durability,
            work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
        ) -> Result<T, StoreError> {
            self.writer.transaction(durability, &self.ids, work, |entry| self.heard.lock().unwrap().push(entry.seq))
        }

        /// Lets others come and wait while the first is in its turn; returns how many commits it took.
        fn together(
            &self,
            others: &[Durability],
            work: impl Fn(usize, &Transaction<'_>) -> Result<u64, StoreError> + Sync,
        ) -> usize {
            thread::scope(|scope| {
                let (go, wait) = mpsc::channel::<()>();
                let (in_turn, first) = mpsc::channel::<()>();
                scope.spawn(move || {
                    self.write(Durability::Full, |transaction| {
                        in_turn.send(()).unwrap();
                        wait.recv().unwrap();
                        transaction.append("stream", &"first")
                    })
                    .unwrap()
                });
                first.recv().unwrap();
                for (number, durability) in others.iter().enumerate() {
                    let work = &work;
                    scope.spawn(move || {
                        let written = catch_unwind(AssertUnwindSafe(|| {
                            self.write(*durability, |transaction| work(number, transaction))
                        }));
                        // Whoever fails is told; the others are not.
                        assert_eq!(matches!(written, Ok(Ok(_))), number != 3);
                    });
                }
                while self.writer.waiting.load(Ordering::SeqCst) < others.len() {
                    thread::yield_now();
                }
                go.send(()).unwrap();
            });
            self.writer.commits.load(Ordering::SeqCst)
        }
    }

    #[test]
    fn those_who_wait_are_committed_together_and_heard_in_order() {
        let bench = Bench::new();
        let commits =
            bench.together(&[Durability::Full; 3], |number, transaction| transaction.append("stream", &number));
        assert_eq!(commits, 1, "the first leaves its group to those who wait");
        assert_eq!(*bench.heard.lock().unwrap(), [1, 2, 3, 4]);
    }

    #[test]
    fn one_that_fails_or_panics_spoils_nothing_for_the_others() {
        for panics in [false, true] {
            let bench = Bench::new();
            bench.together(&[Durability::Full; 6], |number, transaction| {
                transaction.append("stream", &number)?;
                match number {
                    3 if panics => panic!("on purpose"),
                    3 => Err(StoreError::unreadable("a test", "on purpose")),
                    _ => Ok(0),
                }
            });
            assert_eq!(*bench.heard.lock().unwrap(), [1, 2, 3, 4, 5, 6]);
            let kept = bench.write(Durability::Normal, |transaction| transaction.read("stream", 0)).unwrap();
            assert!(kept.iter().all(|entry| &*entry.body != "3"), "{kept:?}");
        }
    }

    #[test]
    fn what_does_not_wait_for_the_disk_is_never_left_with_what_does() {
        let bench = Bench::new();
        let level = |durability| {
            bench.write(durability, |_| Ok(())).unwrap();
            let turn = bench.writer.turn.lock().unwrap();
            turn.connection.pragma_query_value(None, "synchronous", |row| row.get::<_, i64>(0)).unwrap()
        };
        assert_eq!([Durability::Full, Durability::Soon, Durability::Full, Durability::Normal].map(level), [2, 1, 2, 1]);
    }

    #[test]
    fn what_is_to_be_on_the_disk_soon_is_remembered_until_it_is() {
        let bench = Bench::new();
        let unsynced = |durability| {
            bench.write(durability, |_| Ok(())).unwrap();
            bench.writer.is_unsynced()
        };
        let all = [Durability::Normal, Durability::Soon, Durability::Normal, Durability::Full].map(unsynced);
        assert_eq!(all, [false, true, true, false]);
    }

    #[test]
    fn a_group_that_is_given_up_fails_for_all_of_it_and_for_nobody_after() {
        let bench = Bench::new();
        let given_up = bench.write(Durability::Full, |transaction| {
            transaction.append("stream", &"lost")?;
            transaction.give_up_the_group()
        });
        assert!(given_up.is_err(), "{given_up:?}");
        assert_eq!(bench.write(Durability::Full, |transaction| transaction.append("stream", &"kept")).unwrap(), 1);
        assert_eq!(*bench.heard.lock().unwrap(), [1]);
    }

    #[test]
    fn a_commit_that_fails_fails_for_all_and_leaves_nothing() {
        let bench = Bench::new();
        bench
            .writer
            .turn
            .lock()
            .unwrap()
            .connection
            .execute_batch(
                "CREATE TABLE parent (id INTEGER PRIMARY KEY);
             CREATE TABLE child (parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED);",
            )
            .unwrap();
        let failed = bench.write(Durability::Full, |transaction| {
            transaction.append("stream", &"lost")?;
            transaction.break_the_commit()
        });
        assert!(matches!(failed, Err(StoreError::Commit(_))), "{failed:?}");
        assert_eq!(bench.write(Durability::Full, |transaction| transaction.append("stream", &"kept")).unwrap(), 1);
        assert_eq!(*bench.heard.lock().unwrap(), [1]);
    }
}
