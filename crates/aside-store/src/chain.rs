//! The hash chain: each entry's hash covers the one before, and the head is kept apart, so that a changed,
//! dropped or cut-off entry is found.
//!
//! It shows tampering by accident or by a program that does not know the chain. Somebody who can write
//! the whole file can also write a new chain; only a head noted elsewhere shows that.

use std::sync::Arc;

use aside_core::Sha256;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::StoreError;

/// One entry of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainEntry {
    /// Position, from 1.
    pub seq: u64,
    /// The JSON text, as it is hashed.
    pub body: Arc<str>,
    /// SHA-256 of the previous hash (64 zeros for the first), a line feed and the body.
    pub hash: Sha256,
}

/// The first thing that is wrong with the chain.
#[derive(Debug, thiserror::Error)]
pub enum ChainProblem {
    /// The text of an entry, or its hash, is not what was written.
    #[error("entry {0} was changed")]
    Changed(u64),
    /// There is no entry at this position although later ones exist.
    #[error("entry {0} is missing")]
    Missing(u64),
    /// The last entries are gone.
    #[error("the chain was cut: {expected} entries were written, {found} are left")]
    Cut {
        /// How many were written.
        expected: u64,
        /// How many are left.
        found: u64,
    },
    /// There are entries that the head does not know, or the head itself was changed.
    #[error("the chain's head does not fit its {found} entries")]
    Head {
        /// How many there are.
        found: u64,
    },
    /// It could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<rusqlite::Error> for ChainProblem {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}

/// What the first entry's hash covers in place of a previous hash.
const START: &str = "0000000000000000000000000000000000000000000000000000000000000000";

fn link(previous: &str, body: &[u8]) -> Sha256 {
    Sha256::of([previous.as_bytes(), b"\n", body].concat())
}

pub(crate) fn append(connection: &Connection, body: String) -> Result<ChainEntry, StoreError> {
    let head = head(connection)?;
    let (count, previous) = head.unwrap_or((0, START.to_owned()));
    let hash = link(&previous, body.as_bytes());
    let seq = count + 1;
    connection.prepare_cached("INSERT INTO chain (seq, body, hash) VALUES (?1, ?2, ?3)")?.execute(params![
        seq,
        body,
        hash.as_str()
    ])?;
    connection
        .prepare_cached("INSERT OR REPLACE INTO chain_head (one, count, hash) VALUES (1, ?1, ?2)")?
        .execute(params![seq, hash.as_str()])?;
    Ok(ChainEntry { seq: seq.unsigned_abs(), body: body.into(), hash })
}

fn head(connection: &Connection) -> Result<Option<(i64, String)>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT count, hash FROM chain_head")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

pub(crate) fn read(connection: &Connection, after: u64, limit: usize) -> Result<Vec<ChainEntry>, StoreError> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut statement =
        connection.prepare_cached("SELECT seq, body, hash FROM chain WHERE seq > ?1 ORDER BY seq LIMIT ?2")?;
    let mut rows = statement.query(params![after, limit])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let (seq, body, hash): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let hash = Sha256::parse(&hash)
            .ok_or_else(|| StoreError::unreadable(format!("hash of chain entry {seq}"), "not a SHA-256"))?;
        entries.push(ChainEntry { seq: seq.unsigned_abs(), body: body.into(), hash });
    }
    Ok(entries)
}

/// Returns how many entries hold together, or the first thing that is wrong.
pub(crate) fn verify(connection: &Connection) -> Result<u64, ChainProblem> {
    // One snapshot: an entry written meanwhile must not look like one the head does not know.
    let snapshot = connection.unchecked_transaction()?;
    let mut previous = START.to_owned();
    let mut count = 0_u64;
    {
        // As blobs, because a changed byte may leave something that is no text.
        let sql = "SELECT seq, CAST(body AS BLOB), CAST(hash AS BLOB) FROM chain ORDER BY seq";
        let mut statement = snapshot.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            count += 1;
            if row.get::<_, i64>(0)?.unsigned_abs() != count {
                return Err(ChainProblem::Missing(count));
            }
            let hash = link(&previous, row.get_ref(1)?.as_bytes().unwrap_or_default());
            if hash.as_str().as_bytes() != row.get_ref(2)?.as_bytes().unwrap_or_default() {
                return Err(ChainProblem::Changed(count));
            }
            previous = hash.as_str().to_owned();
        }
    }
    match head_bytes(&snapshot)? {
        None if count == 0 => Ok(0),
        Some((expected, _)) if expected > count => Err(ChainProblem::Cut { expected, found: count }),
        Some((expected, hash)) if expected == count && hash == previous.as_bytes() => Ok(count),
        _ => Err(ChainProblem::Head { found: count }),
    }
}

fn head_bytes(connection: &Connection) -> Result<Option<(u64, Vec<u8>)>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT count, CAST(hash AS BLOB) FROM chain_head")?
        .query_row([], |row| Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get(1)?)))
        .optional()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::{Store, StoreOptions};

    fn filled(folder: &Path, count: u64) -> Arc<Store> {
        let store = Store::open(folder, StoreOptions::for_tests()).unwrap();
        for number in 0..count {
            store.chain_append(&json!({ "number": number, "text": "ä" })).unwrap();
        }
        store
    }

    /// What somebody with the file and no scruples can do.
    fn tampered(folder: &Path, change: impl FnOnce(&Connection)) -> Result<u64, ChainProblem> {
        let store = filled(folder, 5);
        let connection = Connection::open(folder.join("aside.db")).unwrap();
        connection.execute_batch("DROP TRIGGER chain_keeps_its_entries; DROP TRIGGER chain_keeps_its_text;").unwrap();
        change(&connection);
        store.chain_verify()
    }

    #[test]
    fn an_untouched_chain_holds_and_pages() {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(folder.path(), 5);
        assert_eq!(store.chain_verify().unwrap(), 5);
        let page = store.chain_read(2, 2).unwrap();
        assert_eq!(page.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [3, 4]);
        drop(store);
        let again = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        assert_eq!(again.chain_append(&json!("more")).unwrap().seq, 6);
        assert_eq!(again.chain_verify().unwrap(), 6);
    }

    #[test]
    fn an_empty_chain_holds() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(filled(folder.path(), 0).chain_verify().unwrap(), 0);
    }

    #[test]
    fn entries_cannot_be_changed_or_dropped_through_sql_by_mistake() {
        let folder = tempfile::tempdir().unwrap();
        let _store = filled(folder.path(), 2);
        let connection = Connection::open(folder.path().join("aside.db")).unwrap();
        assert!(connection.execute("DELETE FROM chain WHERE seq = 2", []).is_err());
        assert!(connection.execute("UPDATE chain SET body = '' WHERE seq = 1", []).is_err());
    }

    #[test]
    fn a_changed_head_is_found() {
        for sql in ["UPDATE chain_head SET hash = '0'", "UPDATE chain_head SET count = 4", "DELETE FROM chain_head"] {
            let folder = tempfile::tempdir().unwrap();
            let found = tampered(folder.path(), |connection| _ = connection.execute(sql, []).unwrap());
            assert!(matches!(found, Err(ChainProblem::Head { found: 5 })), "{sql}: {found:?}");
        }
    }

    fn flip(text: &str, byte: usize, bit: u8) -> Vec<u8> {
        let mut bytes = text.as_bytes().to_vec();
        let at = byte % bytes.len();
        bytes[at] ^= 1 << bit;
        bytes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn any_flipped_bit_is_found(entry in 1_i64..=5, column in prop::sample::select(vec!["body", "hash"]), byte: usize, bit in 0_u8..8) {
            let folder = tempfile::tempdir().unwrap();
            let found = tampered(folder.path(), |connection| {
                let sql = format!("SELECT {column} FROM chain WHERE seq = {entry}");
                let text: String = connection.query_row(&sql, [], |row| row.get(0)).unwrap();
                let sql = format!("UPDATE chain SET {column} = CAST(?1 AS TEXT) WHERE seq = {entry}");
                connection.execute(&sql, [flip(&text, byte, bit)]).unwrap();
            });
            prop_assert!(matches!(found, Err(ChainProblem::Changed(at)) if at == entry.unsigned_abs()), "{found:?}");
        }

        #[test]
        fn any_dropped_entry_is_found(entry in 1_u64..=5) {
            let folder = tempfile::tempdir().unwrap();
            let sql = format!("DELETE FROM chain WHERE seq = {entry}");
            let found = tampered(folder.path(), |connection| _ = connection.execute(&sql, []).unwrap());
            match found {
                Err(ChainProblem::Missing(at)) => prop_assert_eq!(at, entry),
                Err(ChainProblem::Cut { expected: 5, found: 4 }) => prop_assert_eq!(entry, 5),
                other => prop_assert!(false, "{:?}", other),
            }
        }

        #[test]
        fn any_cut_tail_is_found(left in 0_u64..5) {
            let folder = tempfile::tempdir().unwrap();
            let sql = format!("DELETE FROM chain WHERE seq > {left}");
            let found = tampered(folder.path(), |connection| _ = connection.execute(&sql, []).unwrap());
            prop_assert!(matches!(found, Err(ChainProblem::Cut { expected: 5, found }) if found == left), "{found:?}");
        }
    }
}
