//! Streams of JSON entries, numbered from 1 without gaps.

use std::sync::Arc;

use aside_core::Timestamp;
use rusqlite::{Connection, params};
use serde::de::DeserializeOwned;

use crate::StoreError;

/// One entry of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Which stream.
    pub stream: Arc<str>,
    /// Position in the stream, from 1, without gaps.
    pub seq: u64,
    /// When it was written.
    pub at: Timestamp,
    /// The JSON text.
    pub body: Arc<str>,
}

impl LogEntry {
    /// Reads the body.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        serde_json::from_str(&self.body)
            .map_err(|error| StoreError::unreadable(format!("entry {} of {}", self.seq, self.stream), error))
    }
}

/// Something said on a stream and not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveEntry {
    /// Which stream.
    pub stream: Arc<str>,
    /// The JSON text.
    pub body: Arc<str>,
}

/// What a listener hears, in the order in which it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tail {
    /// An entry, after it was committed.
    Entry(LogEntry),
    /// Something that is not stored.
    Live(LiveEntry),
}

impl Tail {
    /// The stream it belongs to.
    pub fn stream(&self) -> &Arc<str> {
        match self {
            Self::Entry(entry) => &entry.stream,
            Self::Live(live) => &live.stream,
        }
    }
}

pub(crate) fn append(connection: &Connection, stream: &str, at: Timestamp, body: &str) -> Result<u64, StoreError> {
    let seq = next(connection, stream)?;
    let row = params![stream, i64::try_from(seq).unwrap_or(i64::MAX), at.0, body];
    connection.prepare_cached("INSERT INTO log (stream, seq, at, body) VALUES (?1, ?2, ?3, ?4)")?.execute(row)?;
    Ok(seq)
}

/// The position that the next entry gets.
pub(crate) fn next(connection: &Connection, stream: &str) -> Result<u64, StoreError> {
    let mut statement = connection.prepare_cached("SELECT coalesce(max(seq), 0) + 1 FROM log WHERE stream = ?1")?;
    Ok(statement.query_row([stream], |row| row.get::<_, i64>(0))?.unsigned_abs())
}

pub(crate) fn read(connection: &Connection, stream: &str, after: u64) -> Result<Vec<LogEntry>, StoreError> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let name: Arc<str> = stream.into();
    let mut statement =
        connection.prepare_cached("SELECT seq, at, body FROM log WHERE stream = ?1 AND seq > ?2 ORDER BY seq")?;
    let entries = statement.query_map(params![stream, after], |row| {
        let (seq, at, body): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(LogEntry { stream: name.clone(), seq: seq.unsigned_abs(), at: Timestamp(at), body: body.into() })
    })?;
    Ok(entries.collect::<Result<_, _>>()?)
}

pub(crate) fn delete(connection: &Connection, stream: &str) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM log WHERE stream = ?1")?.execute([stream])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::{Durability, Store, StoreError, StoreOptions, Tail};

    #[test]
    fn entries_are_numbered_per_stream_and_read_after_a_position() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        for number in 1..=3 {
            assert_eq!(store.append("one", &json!({ "number": number })).unwrap(), number);
        }
        assert_eq!(store.append("two", &json!("other")).unwrap(), 1);
        let read = store.read("one", 1).unwrap();
        assert_eq!(read.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(read[1].parse::<Value>().unwrap(), json!({ "number": 3 }));
        assert!(store.read("none", 0).unwrap().is_empty());
    }

    #[test]
    fn listeners_hear_what_was_committed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let mut tail = store.tail();
        let failed: Result<(), StoreError> = store.transaction(Durability::Normal, |transaction| {
            transaction.append("one", &json!("rolled back"))?;
            Err(StoreError::unreadable("a test", "on purpose"))
        });
        assert!(failed.is_err());
        store.publish("one", &json!("live")).unwrap();
        store.append("one", &json!("kept")).unwrap();
        assert!(matches!(tail.try_recv().unwrap(), Tail::Live(live) if &*live.body == "\"live\""));
        assert!(matches!(tail.try_recv().unwrap(), Tail::Entry(entry) if entry.seq == 1 && &*entry.body == "\"kept\""));
        assert!(tail.try_recv().is_err());
    }
}
