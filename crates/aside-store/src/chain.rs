//! The hash chain: each entry's hash covers the one before, and the head is kept apart, so that a changed,
//! dropped or cut-off entry is found.
//!
//! It shows tampering by accident or by a program that does not know the chain. Somebody who can write
//! the whole file can also write a new chain; only a head noted elsewhere shows that.

use std::sync::Arc;

use aside_core::Sha256;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use sha2::Digest as _;

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

/// Where the chain leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainHead {
    /// How many entries hold together.
    pub count: u64,
    /// The hash of the last one; 64 zeros if there is none.
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
    #[error("the chain's head does not match its {found} entries")]
    Head {
        /// How many there are.
        found: u64,
    },
    /// It holds together, but is not the one from which a hash was noted.
    #[error("none of the {found} entries has the hash {noted}: the chain was replaced by an earlier or different one")]
    Forked {
        /// What was noted.
        noted: String,
        /// How many entries there are.
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

/// The fewest digits that name a noted hash.
const NOTED: usize = 12;

pub(crate) fn append(connection: &Connection, body: String) -> Result<ChainEntry, StoreError> {
    let (count, previous) = head(connection)?;
    let hash = previous.link(body.as_bytes()).digest();
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

fn head(connection: &Connection) -> Result<(i64, Hex), StoreError> {
    let found: Option<(i64, String)> = connection
        .prepare_cached("SELECT count, hash FROM chain_head")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((count, hash)) = found else { return Ok((0, Hex::start())) };
    let hash = Hex::parse(&hash).ok_or_else(|| StoreError::unreadable("head of the chain", "not a SHA-256"))?;
    Ok((count, hash))
}

/// Returns how many entries there are, and the last hash, as the head says.
pub(crate) fn last(connection: &Connection) -> Result<ChainHead, StoreError> {
    let (count, hash) = head(connection)?;
    Ok(ChainHead { count: count.unsigned_abs(), hash: hash.digest() })
}

pub(crate) fn read(connection: &Connection, after: u64, limit: usize) -> Result<Vec<ChainEntry>, StoreError> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut statement =
        connection.prepare_cached("SELECT seq, body, hash FROM chain WHERE seq > ?1 ORDER BY seq LIMIT ?2")?;
    let mut rows = statement.query(params![after, limit])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(from_row(row)?);
    }
    Ok(entries)
}

/// Returns the last entry that is there.
pub(crate) fn end(connection: &Connection) -> Result<Option<ChainEntry>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT seq, body, hash FROM chain ORDER BY seq DESC LIMIT 1")?;
    let mut rows = statement.query([])?;
    rows.next()?.map(from_row).transpose()
}

/// Returns one entry.
pub(crate) fn entry(connection: &Connection, seq: i64) -> Result<Option<ChainEntry>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT seq, body, hash FROM chain WHERE seq = ?1")?;
    let mut rows = statement.query([seq])?;
    rows.next()?.map(from_row).transpose()
}

fn from_row(row: &Row<'_>) -> Result<ChainEntry, StoreError> {
    let (seq, body, hash): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let hash = Sha256::parse(&hash)
        .ok_or_else(|| StoreError::unreadable(format!("hash of chain entry {seq}"), "not a SHA-256"))?;
    Ok(ChainEntry { seq: seq.unsigned_abs(), body: body.into(), hash })
}

/// Reads every entry once, in order, and hashes the bytes as they are stored: nothing is parsed or kept.
///
/// `noted` is (the beginning of) a hash that was the last one at some time; it has to be there still.
pub(crate) fn verify(connection: &Connection, noted: Option<&str>) -> Result<ChainHead, ChainProblem> {
    // One snapshot: an entry written meanwhile must not look like one the head does not know.
    let snapshot = connection.unchecked_transaction()?;
    let (found, known) = links(&snapshot, noted)?;
    let count = found.count;
    match head_bytes(&snapshot)? {
        None if count == 0 => {}
        Some((expected, _)) if expected > count => return Err(ChainProblem::Cut { expected, found: count }),
        Some((expected, hash)) if expected == count && hash == found.hash.as_str().as_bytes() => {}
        _ => return Err(ChainProblem::Head { found: count }),
    }
    match noted {
        Some(noted) if !known => Err(ChainProblem::Forked { noted: noted.to_owned(), found: count }),
        _ => Ok(found),
    }
}

/// Returns where the chain leads to, and whether the noted hash is on the way.
fn links(connection: &Connection, noted: Option<&str>) -> Result<(ChainHead, bool), ChainProblem> {
    // As blobs, because a changed byte may leave something that is no text.
    let sql = "SELECT seq, CAST(body AS BLOB), CAST(hash AS BLOB) FROM chain ORDER BY seq";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    let is_noted = |hash: &Hex| noted.is_some_and(|noted| noted.len() >= NOTED && hash.0.starts_with(noted.as_bytes()));
    // Whoever noted the head of an empty chain noted where every chain starts.
    let (mut previous, mut count, mut known) = (Hex::start(), 0_u64, is_noted(&Hex::start()));
    while let Some(row) = rows.next()? {
        count += 1;
        if row.get::<_, i64>(0)?.unsigned_abs() != count {
            return Err(ChainProblem::Missing(count));
        }
        let hash = previous.link(row.get_ref(1)?.as_bytes().unwrap_or_default());
        if hash.0 != row.get_ref(2)?.as_bytes().unwrap_or_default() {
            return Err(ChainProblem::Changed(count));
        }
        known |= is_noted(&hash);
        previous = hash;
    }
    Ok((ChainHead { count, hash: previous.digest() }, known))
}

fn head_bytes(connection: &Connection) -> Result<Option<(u64, Vec<u8>)>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT count, CAST(hash AS BLOB) FROM chain_head")?
        .query_row([], |row| Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get(1)?)))
        .optional()
}

/// A hash as 64 hexadecimal digits, without an allocation: there may be a million to check.
#[derive(Clone, Copy)]
struct Hex([u8; 64]);

impl Hex {
    /// What the first entry's hash covers in place of a previous hash.
    fn start() -> Self {
        Self([b'0'; 64])
    }

    /// Returns none for what is no hash.
    fn parse(text: &str) -> Option<Self> {
        Sha256::parse(text).and_then(|hash| hash.as_str().as_bytes().try_into().ok()).map(Self)
    }

    /// Returns the hash of the entry that follows.
    fn link(&self, body: &[u8]) -> Self {
        let digest = sha2::Sha256::new().chain_update(self.0).chain_update(b"\n").chain_update(body).finalize();
        let mut hex = [0; 64];
        for (pair, byte) in hex.chunks_exact_mut(2).zip(digest) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        Self(hex)
    }

    fn digest(&self) -> Sha256 {
        let text = std::str::from_utf8(&self.0).expect("hexadecimal digits are ASCII");
        Sha256::parse(text).expect("64 hexadecimal digits are a SHA-256")
    }
}

const DIGITS: &[u8; 16] = b"0123456789abcdef";

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
    fn tampered(folder: &Path, change: impl FnOnce(&Connection)) -> Result<ChainHead, ChainProblem> {
        let store = filled(folder, 5);
        let connection = Connection::open(folder.join("aside.db")).unwrap();
        connection.execute_batch("DROP TRIGGER chain_keeps_its_entries; DROP TRIGGER chain_keeps_its_text;").unwrap();
        change(&connection);
        store.chain_verify(None)
    }

    #[test]
    fn an_untouched_chain_holds_and_pages() {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(folder.path(), 5);
        assert_eq!(store.chain_verify(None).unwrap().count, 5);
        let page = store.chain_read(2, 2).unwrap();
        assert_eq!(page.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [3, 4]);
        drop(store);
        let again = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        assert_eq!(again.chain_append(&json!("more")).unwrap().seq, 6);
        assert_eq!(again.chain_verify(None).unwrap().count, 6);
    }

    #[test]
    fn an_empty_chain_holds() {
        let folder = tempfile::tempdir().unwrap();
        let head = filled(folder.path(), 0).chain_verify(None).unwrap();
        assert_eq!((head.count, head.hash.as_str()), (0, "0".repeat(64).as_str()));
        let later = filled(folder.path(), 2).chain_verify(Some(head.hash.as_str())).unwrap();
        assert_eq!(later.count, 2, "what was noted of an empty chain holds for the longer one");
    }

    #[test]
    fn a_copy_of_an_earlier_file_is_told_by_a_hash_noted_later() {
        let folder = tempfile::tempdir().unwrap();
        let early = filled(folder.path(), 3).chain_verify(None).unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let copied = store.chain_verify(None).unwrap();
        store.chain_append(&json!("more")).unwrap();
        let late = store.chain_verify(Some(early.hash.as_str())).unwrap();
        assert_eq!((copied, late.count), (early.clone(), 4));
        // As if the file of three entries had been put back.
        let earlier = tempfile::tempdir().unwrap();
        let store = filled(earlier.path(), 3);
        assert_eq!(store.chain_verify(Some(early.hash.short())).unwrap(), early);
        let found = store.chain_verify(Some(late.hash.as_str()));
        assert!(matches!(found, Err(ChainProblem::Forked { found: 3, .. })), "{found:?}");
        assert!(store.chain_verify(Some("")).is_err());
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
