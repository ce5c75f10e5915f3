//! What only the one who writes has: the connection and the journal, and how a change gets from the one to the other.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, TransactionBehavior};

use crate::{
    LogEntry, StoreError, Transaction,
    journal::{self, Journal, Record},
    log,
    options::Ids,
    waiting::Waiting,
    write::Write,
};

/// What belongs to the one who writes.
pub(crate) struct Turn {
    pub(crate) connection: Connection,
    /// The database's own log. It is one file for as long as the connection is open.
    pub(crate) log: File,
    pub(crate) log_path: PathBuf,
    pub(crate) journal: Journal,
    /// The position of the last change.
    pub(crate) last: u64,
    /// The position of the last change that the database has.
    reached: u64,
    /// Nothing is written any more.
    pub(crate) at_rest: bool,
}

impl Turn {
    /// Opens the journal beside a database, and returns what is in it.
    pub(crate) fn new(connection: Connection, database: &Path, room: u64) -> Result<(Self, Vec<Record>), StoreError> {
        let id: String = connection.query_row("SELECT database FROM journal", [], |row| row.get(0))?;
        let last = reached(&connection)?;
        let (journal, records) = journal::open(database, &id, room)?;
        let (log, log_path) = open_log(database)?;
        Ok((Self { connection, log, log_path, journal, last, reached: last, at_rest: false }, records))
    }

    /// Does some work as one in the database; returns what listeners and the journal are to get.
    pub(crate) fn commit<T>(
        &mut self,
        ids: &Ids,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<(T, Vec<LogEntry>, Vec<Write>), StoreError> {
        // Positions are the owner's. First, so that it is undone with the rest.
        let position = if self.journal.is_ours() { self.last + 1 } else { self.last };
        let open = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if self.journal.is_ours() {
            reach(&open, position)?;
        }
        let transaction = Transaction::new(&open, ids);
        let done = work(&transaction)?;
        let (entries, writes) = transaction.into_parts();
        open.commit()?;
        (self.last, self.reached) = (position, position);
        Ok((done, entries, writes))
    }

    /// The entries that the database will have, at the positions that they will get.
    pub(crate) fn entries(&self, waiting: &Waiting, writes: &[Write]) -> Result<Vec<LogEntry>, StoreError> {
        let mut entries: Vec<LogEntry> = Vec::new();
        for write in writes {
            let Write::Append { stream, at, body } = write else { continue };
            let before = entries.iter().rfind(|entry| entry.stream == *stream).map(|entry| entry.seq);
            let seq = match before.or_else(|| waiting.last(stream)) {
                Some(last) => last + 1,
                None => log::next(&self.connection, stream)?,
            };
            entries.push(LogEntry { stream: stream.clone(), seq, at: *at, body: body.clone() });
        }
        Ok(entries)
    }

    /// Brings the database up to date.
    pub(crate) fn drain(&mut self, waiting: &mut Waiting) -> Result<(), StoreError> {
        self.drain_to(self.last, waiting)
    }

    /// Brings about so many writes into the database; tells whether that was all.
    pub(crate) fn drain_some(&mut self, writes: usize, waiting: &mut Waiting) -> Result<bool, StoreError> {
        let upto = waiting.reach_of(writes);
        self.drain_to(upto.unwrap_or(self.last), waiting)?;
        Ok(upto.is_none())
    }

    fn drain_to(&mut self, upto: u64, waiting: &mut Waiting) -> Result<(), StoreError> {
        // Not whether something waits: a change without a single write has a position as well.
        if self.reached >= upto {
            return Ok(());
        }
        let open = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another store that was opened meanwhile has carried out what it found in the journal.
        let has = reached(&open)?;
        waiting.between(has, upto).try_for_each(|write| write.apply(&open))?;
        reach(&open, upto.max(has))?;
        open.commit()?;
        self.reached = upto;
        waiting.reached(upto);
        Ok(())
    }

    /// Copies the database's own log into its file, to the disk, and empties it; fails if somebody still reads from it.
    pub(crate) fn empty_log(&self) -> Result<(), StoreError> {
        let busy: bool = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        if busy {
            let source = io::ErrorKind::ResourceBusy.into();
            return Err(StoreError::Io { doing: "empty", path: self.log_path.clone(), source });
        }
        Ok(())
    }
}

/// The position up to which the database has everything.
fn reached(connection: &Connection) -> Result<u64, StoreError> {
    let mut statement = connection.prepare_cached("SELECT position FROM journal")?;
    Ok(statement.query_row([], |row| row.get::<_, i64>(0))?.unsigned_abs())
}

fn reach(connection: &Connection, position: u64) -> Result<(), StoreError> {
    let position = i64::try_from(position).unwrap_or(i64::MAX);
    connection.prepare_cached("UPDATE journal SET position = ?1")?.execute([position])?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the store owns the `.aside` folder")]
fn open_log(database: &Path) -> Result<(File, PathBuf), StoreError> {
    let mut path = database.as_os_str().to_owned();
    path.push("-wal");
    let path = PathBuf::from(path);
    match File::open(&path) {
        Ok(log) => Ok((log, path)),
        Err(source) => Err(StoreError::Io { doing: "open", path, source }),
    }
}
