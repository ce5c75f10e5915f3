//! Several writes as one: all of them or none, and listeners hear of them after the commit.

use std::{cell::RefCell, sync::Arc};

use aside_core::{Id, Timestamp, canonical_text};
use rusqlite::Connection;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    Batch, ChainEntry, LogEntry, StoreError, bytes, chain, chain_index::Unindexed, log, options::Ids, records,
    write::Write,
};

/// When a transaction counts as done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// When a crash of the program can't lose it; a power cut may take the last moments.
    Normal,
    /// The same, and it is on the disk a moment later (at most 250 ms), without anyone waiting for it.
    Soon,
    /// When it is on the disk. All that was committed before is there then, too.
    Full,
}

/// Writes that belong together; see [`Store::transaction`](crate::Store::transaction).
pub struct Transaction<'a> {
    connection: &'a Connection,
    ids: &'a Ids,
    entries: RefCell<Vec<LogEntry>>,
    /// For the journal.
    writes: RefCell<Vec<Write>>,
}

impl<'a> Transaction<'a> {
    pub(crate) fn new(connection: &'a Connection, ids: &'a Ids) -> Self {
        Self { connection, ids, entries: RefCell::default(), writes: RefCell::default() }
    }

    pub(crate) fn into_parts(self) -> (Vec<LogEntry>, Vec<Write>) {
        (self.entries.into_inner(), self.writes.into_inner())
    }

    /// Does all that a batch has.
    pub fn write(&self, batch: Batch) -> Result<(), StoreError> {
        batch.into_writes().into_iter().try_for_each(|write| match write {
            Write::Append { stream, at, body } => self.enter(stream, at, body).map(drop),
            write => self.carry_out(write),
        })
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        self.ids.now()
    }

    /// Makes an id.
    pub fn new_id<T: Id>(&self) -> T {
        self.ids.next()
    }

    /// Appends an entry to a stream; returns its position.
    pub fn append(&self, stream: &str, body: &impl Serialize) -> Result<u64, StoreError> {
        self.enter(stream.into(), self.now(), json(body)?.into())
    }

    /// Returns the entries of a stream after a position.
    pub fn read(&self, stream: &str, after: u64) -> Result<Vec<LogEntry>, StoreError> {
        log::read(self.connection, stream, after)
    }

    /// Deletes a stream with all its entries.
    pub fn delete_log(&self, stream: &str) -> Result<(), StoreError> {
        log::delete(self.connection, stream)
    }

    /// Writes a record, in place of the one with this kind and id.
    pub fn put(&self, kind: &str, id: &str, owner: Option<&str>, value: &impl Serialize) -> Result<(), StoreError> {
        let (kind, id, owner) = (kind.to_owned(), id.to_owned(), owner.map(str::to_owned));
        self.carry_out(Write::Put { kind, id, owner, body: json(value)? })
    }

    /// Returns a record.
    pub fn get<T: DeserializeOwned>(&self, kind: &str, id: &str) -> Result<Option<T>, StoreError> {
        records::get(self.connection, kind, id)
    }

    /// Returns all records of a kind, by id.
    pub fn list<T: DeserializeOwned>(&self, kind: &str) -> Result<Vec<T>, StoreError> {
        records::list(self.connection, kind)
    }

    /// Returns the records of a kind with this owner, by id.
    pub fn list_owned<T: DeserializeOwned>(&self, kind: &str, owner: &str) -> Result<Vec<T>, StoreError> {
        records::list_owned(self.connection, kind, owner)
    }

    /// Returns the records of an owner after an id, the first one first.
    pub fn owned_after<T: DeserializeOwned>(
        &self,
        kind: &str,
        owner: &str,
        after: &str,
        limit: usize,
    ) -> Result<Vec<T>, StoreError> {
        records::owned_after(self.connection, (kind, owner), after, limit)
    }

    /// Returns the last records of an owner, the last one first.
    pub fn owned_latest<T: DeserializeOwned>(
        &self,
        kind: &str,
        owner: &str,
        limit: usize,
    ) -> Result<Vec<T>, StoreError> {
        records::owned_before(self.connection, (kind, owner), None, limit)
    }

    /// Counts the records of an owner.
    pub fn count_owned(&self, kind: &str, owner: &str) -> Result<usize, StoreError> {
        records::count_owned(self.connection, kind, owner)
    }

    /// Deletes a record; tells whether there was one.
    pub fn delete(&self, kind: &str, id: &str) -> Result<bool, StoreError> {
        let was_there = records::delete(self.connection, kind, id)?;
        self.writes.borrow_mut().push(Write::Delete { kind: kind.to_owned(), id: id.to_owned() });
        Ok(was_there)
    }

    /// Appends an entry to the chain, as canonical JSON.
    pub fn chain_append(&self, body: &Value) -> Result<ChainEntry, StoreError> {
        let body = canonical_text(body);
        self.writes.borrow_mut().push(Write::Chain { body: body.clone() });
        chain::append(self.connection, body)
    }

    pub(crate) fn chain_index(&self, entries: Unindexed) -> Result<(), StoreError> {
        entries.index(self.connection)
    }

    /// Appends a piece to a binary log.
    pub fn append_bytes(&self, stream: &str, piece: &[u8]) -> Result<(), StoreError> {
        self.carry_out(Write::AppendBytes { stream: stream.to_owned(), piece: piece.to_owned() })
    }

    /// Returns the pieces of a binary log, in order.
    pub fn read_bytes(&self, stream: &str) -> Result<Vec<Vec<u8>>, StoreError> {
        bytes::read(self.connection, stream)
    }

    /// Replaces a binary log by one piece.
    pub fn replace_bytes(&self, stream: &str, piece: &[u8]) -> Result<(), StoreError> {
        self.delete_bytes(stream)?;
        self.append_bytes(stream, piece)
    }

    /// Deletes a binary log.
    pub fn delete_bytes(&self, stream: &str) -> Result<(), StoreError> {
        self.carry_out(Write::DeleteBytes { stream: stream.to_owned() })
    }

    fn carry_out(&self, write: Write) -> Result<(), StoreError> {
        write.apply(self.connection)?;
        self.writes.borrow_mut().push(write);
        Ok(())
    }

    fn enter(&self, stream: Arc<str>, at: Timestamp, body: Arc<str>) -> Result<u64, StoreError> {
        let seq = log::append(self.connection, &stream, at, &body)?;
        self.writes.borrow_mut().push(Write::Append { stream: stream.clone(), at, body: body.clone() });
        self.entries.borrow_mut().push(LogEntry { stream, seq, at, body });
        Ok(seq)
    }

    /// What SQLite does when the disk is full.
    #[cfg(test)]
    pub(crate) fn give_up(&self) -> Result<(), StoreError> {
        Ok(self.connection.execute_batch("ROLLBACK")?)
    }

    /// Writes what a constraint refuses only at the commit, into a table that a test has made.
    #[cfg(test)]
    pub(crate) fn break_the_commit(&self) -> Result<(), StoreError> {
        self.connection.execute("INSERT INTO child VALUES (1)", [])?;
        Ok(())
    }
}

pub(crate) fn json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::unreadable("value", error))
}
