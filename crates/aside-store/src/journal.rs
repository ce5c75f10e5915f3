//! The file that a change is written to before the database has it: one write and one wait instead of the database's many.
//!
//! ```text
//! record: length of the rest: u32 | sum: 16 bytes | salt: 8 bytes | position: u64 | writes       all LE
//! ```
//!
//! The sum is the beginning of a SHA-256 over the database's id and what follows the sum, so that a record that was torn,
//! or is another database's, ends the journal. Positions go up by one over the whole life of a database, which knows
//! the last one that it has. The salt is new each time the journal is opened: what is left of earlier records after the
//! last one has a lower position or another salt. The file is written over from its beginning when the database has
//! everything, and keeps its length: then the file system has nothing to note when it is brought to the disk.
use std::{
    fs::{File, TryLockError},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

use crate::{
    StoreError,
    database::private_options,
    disk::Disk,
    write::{Write, decode, encode},
};

/// It grows by so many bytes.
const STEP: u64 = 256 * 1024;
const SUM: usize = 16;
const SALT: usize = 8;
/// Length and sum.
const HEAD: usize = 4 + SUM;

/// The journal of a database.
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
    database: String,
    salt: [u8; SALT],
    /// Its most bytes. None for a store that opened it while another had it.
    room: Option<u64>,
    /// Its bytes now.
    length: u64,
    /// Where the next record goes.
    end: u64,
}

/// Writes that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) position: u64,
    pub(crate) writes: Vec<Write>,
}

/// Opens the journal beside a database, and reads it.
pub(crate) fn open(database: &Path, id: &str, room: u64) -> Result<(Journal, Vec<Record>), StoreError> {
    let path = database.with_extension("journal");
    let opened = || -> io::Result<_> {
        let mut file = private_options().read(true).create(true).truncate(false).open(&path)?;
        let ours = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(error)) => return Err(error),
        };
        let (mut bytes, mut salt) = (Vec::new(), [0; SALT]);
        file.read_to_end(&mut bytes)?;
        getrandom::fill(&mut salt)?;
        let (path, length) = (path.clone(), bytes.len() as u64);
        let (database, room) = (id.to_owned(), ours.then_some(room));
        Ok((Journal { file, path, database, salt, room, length, end: length }, records(&bytes, id)))
    };
    opened().map_err(|source| StoreError::Io { doing: "open", path: path.clone(), source })
}

impl Journal {
    /// The wait for it.
    pub(crate) fn disk(&self) -> Result<Disk, StoreError> {
        let file = self.file.try_clone().map_err(|source| self.failed("open", source))?;
        Ok(Disk::new(file, self.path.clone()))
    }

    pub(crate) fn is_ours(&self) -> bool {
        self.room.is_some()
    }

    /// Writes a record, unless there is no room for it; tells whether there was.
    pub(crate) fn append(&mut self, position: u64, writes: &[u8]) -> Result<bool, StoreError> {
        let record = framed(&self.database, self.salt, position, writes);
        let end = self.end.saturating_add(record.len() as u64);
        if self.room.is_none_or(|room| end > room) {
            return Ok(false);
        }
        self.put(&record, end).map_err(|source| self.failed("write", source))?;
        self.end = end;
        Ok(true)
    }

    fn put(&mut self, record: &[u8], end: u64) -> io::Result<()> {
        if end > self.length {
            let length = end.next_multiple_of(STEP);
            self.file.seek(SeekFrom::Start(self.length))?;
            // Zeros and no hole: what is only promised has to be noted when it is written.
            io::copy(&mut io::repeat(0).take(length - self.length), &mut self.file)?;
            self.length = length;
        }
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(record)
    }

    /// Begins anew: all that it holds is on the disk elsewhere.
    pub(crate) fn clear(&mut self) {
        self.end = 0;
    }

    pub(crate) fn is_clear(&self) -> bool {
        self.end == 0
    }

    pub(crate) fn is_half_full(&self) -> bool {
        self.room.is_some_and(|room| self.end > room / 2)
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> StoreError {
        StoreError::Io { doing, path: self.path.clone(), source }
    }
}

fn framed(database: &str, salt: [u8; SALT], position: u64, writes: &[u8]) -> Vec<u8> {
    let mut record = vec![0; HEAD];
    record.extend(salt);
    record.extend(position.to_le_bytes());
    record.extend(writes);
    let length = u32::try_from(record.len() - 4).unwrap_or(u32::MAX);
    let sum = sum(database, &record[HEAD..]);
    record[..4].copy_from_slice(&length.to_le_bytes());
    record[4..HEAD].copy_from_slice(&sum);
    record
}

fn sum(database: &str, rest: &[u8]) -> [u8; SUM] {
    let digest = Sha256::new().chain_update(database).chain_update(rest).finalize();
    std::array::from_fn(|at| digest[at])
}

/// Returns the records that follow each other from the beginning, up to the first that is not whole.
pub(crate) fn records(mut bytes: &[u8], database: &str) -> Vec<Record> {
    let mut found: Vec<Record> = Vec::new();
    let mut salt = None;
    while let Some((of, record, rest)) = first(bytes, database) {
        let follows = found.last().is_none_or(|last| last.position.checked_add(1) == Some(record.position));
        if !follows || *salt.get_or_insert(of) != of {
            break;
        }
        found.push(record);
        bytes = rest;
    }
    found
}

/// Reads any bytes as a journal, and as what a record of it holds. For the fuzz target.
#[doc(hidden)]
pub fn read_any(bytes: &[u8]) {
    assert!(records(bytes, "").len() <= bytes.len());
    if let Some(writes) = decode(bytes) {
        assert_eq!(decode(&encode(&writes)), Some(writes));
        let record = framed("", [0; SALT], 1, bytes);
        assert_eq!(records(&record, "").len(), 1);
    }
}

/// Splits off the first record, with its salt.
fn first<'a>(bytes: &'a [u8], database: &str) -> Option<([u8; SALT], Record, &'a [u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (record, after) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
    let (found, rest) = record.split_first_chunk::<SUM>()?;
    if *found != sum(database, rest) {
        return None;
    }
    let (salt, rest) = rest.split_first_chunk::<SALT>()?;
    let (position, writes) = rest.split_first_chunk::<8>()?;
    Some((*salt, Record { position: u64::from_le_bytes(*position), writes: decode(writes)? }, after))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::write::tests::any_write;

    const ID: &str = "database";

    /// A journal with room for this many bytes, in a folder of its own.
    fn journal(room: u64) -> (tempfile::TempDir, Journal) {
        let folder = tempfile::tempdir().unwrap();
        let (journal, found) = open(&folder.path().join("aside.db"), ID, room).unwrap();
        assert!(found.is_empty() && journal.is_clear() && journal.is_ours());
        (folder, journal)
    }

    #[expect(clippy::disallowed_methods, reason = "looks at the file from outside")]
    fn bytes(folder: &tempfile::TempDir) -> Vec<u8> {
        std::fs::read(folder.path().join("aside.journal")).unwrap()
    }

    fn put(position: u64) -> Record {
        let (kind, id, body) = ("kind".to_owned(), "id".to_owned(), position.to_string());
        Record { position, writes: vec![Write::Put { kind, id, owner: None, body }] }
    }

    fn append(journal: &mut Journal, record: &Record) -> bool {
        journal.append(record.position, &encode(&record.writes)).unwrap()
    }

    #[test]
    fn what_was_torn_at_any_byte_is_dropped_and_what_is_before_it_is_whole() {
        let (folder, mut journal) = journal(STEP);
        let all: Vec<_> = (5..8).map(put).collect();
        let ends: Vec<_> = all
            .iter()
            .map(|record| {
                assert!(append(&mut journal, record));
                usize::try_from(journal.end).unwrap()
            })
            .collect();
        let whole = bytes(&folder);
        assert_eq!(records(&whole, ID), all);
        for torn in 0..ends[2] {
            let left = ends.iter().filter(|end| **end <= torn).count();
            assert_eq!(records(&whole[..torn], ID), all[..left], "cut at {torn}");
            let mut zeros = whole.clone();
            zeros[torn..].fill(0);
            assert!(all.starts_with(&records(&zeros, ID)), "zeros from {torn}");
            let mut flipped = whole.clone();
            flipped[torn] ^= 1;
            assert_eq!(records(&flipped, ID), all[..left], "flipped at {torn}");
        }
    }

    #[test]
    fn what_is_left_of_earlier_records_does_not_count() {
        let (folder, mut ours) = journal(STEP);
        (1..4).for_each(|position| assert!(append(&mut ours, &put(position))));
        ours.clear();
        assert!(append(&mut ours, &put(4)));
        assert_eq!(records(&bytes(&folder), ID), [put(4)], "of the same run");
        drop(ours);
        // As after a power cut that took what came after the first: the positions are used again.
        let (mut again, _) = open(&folder.path().join("aside.db"), ID, STEP).unwrap();
        again.clear();
        assert!(append(&mut again, &put(1)));
        assert_eq!(records(&bytes(&folder), ID), [put(1)], "of an earlier run");
        assert!(records(&bytes(&folder), "another").is_empty());
    }

    #[test]
    fn takes_no_more_than_there_is_room_for_and_nothing_while_another_has_it() {
        let (folder, mut ours) = journal(100);
        assert!(append(&mut ours, &put(1)));
        assert!(!append(&mut ours, &put(2)));
        ours.clear();
        assert!(append(&mut ours, &put(2)));
        let (mut other, found) = open(&folder.path().join("aside.db"), ID, 100).unwrap();
        assert_eq!((found, other.is_ours()), (vec![put(2)], false));
        other.clear();
        assert!(!append(&mut other, &put(3)));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_as_far_as_they_are_records(all in prop::collection::vec(prop::collection::vec(any_write(), 0..3), 0..4), tail in prop::collection::vec(any::<u8>(), 0..80)) {
            let wanted: Vec<_> = (1..).zip(all).map(|(position, writes)| Record { position, writes }).collect();
            let mut bytes: Vec<u8> = wanted.iter().flat_map(|record| framed(ID, [1; SALT], record.position, &encode(&record.writes))).collect();
            bytes.extend(tail);
            prop_assert_eq!(records(&bytes, ID), wanted);
        }
    }
}
