//! Sorts rows by keys with little memory: sorted runs go to a scratch file and are merged from there.
//!
//! An entry of a run is the length of its key in two bytes, the row in four, and the key.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{self, BufWriter, Write as _},
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
};

use crate::row_list::RowList;

/// Bytes of keys, and entries, that are sorted at once.
const ARENA: usize = 12 << 20;
const MOST_ENTRIES: usize = 1 << 20;
/// Bytes of all runs that are in memory while they are merged.
const MERGED: usize = 16 << 20;
const LEAST_READ: usize = 4 << 10;
const HEAD: usize = 6;

struct Entry {
    start: u32,
    length: u16,
    row: u32,
}

/// Rows on their way to be sorted.
pub(crate) struct Sorter {
    folder: PathBuf,
    arena: Vec<u8>,
    entries: Vec<Entry>,
    /// The largest number of bytes of keys; only tests have another one.
    most: usize,
    runs: Option<File>,
    /// Where each run ends in the file.
    ends: Vec<u64>,
    /// Rows without a key, in their order.
    without: RowList,
}

impl Sorter {
    pub fn new(folder: &Path) -> io::Result<Self> {
        Self::with_most(folder, ARENA)
    }

    fn with_most(folder: &Path, most: usize) -> io::Result<Self> {
        let without = RowList::new(folder)?;
        let folder = folder.to_owned();
        Ok(Self { folder, arena: Vec::new(), entries: Vec::new(), most, runs: None, ends: Vec::new(), without })
    }

    /// Takes a row with its key.
    pub fn push(&mut self, row: u32, key: &[u8]) -> io::Result<()> {
        if self.arena.len() + key.len() > self.most || self.entries.len() == MOST_ENTRIES {
            self.write_run()?;
        }
        let start = u32::try_from(self.arena.len()).expect("the arena is small");
        let length = u16::try_from(key.len()).expect("keys are short");
        self.arena.extend_from_slice(key);
        self.entries.push(Entry { start, length, row });
        Ok(())
    }

    /// Takes a row that comes after all others.
    pub fn push_last(&mut self, row: u32) -> io::Result<()> {
        self.without.push(row)
    }

    /// Calls `each` with the rows in their order.
    pub fn finish<E: From<io::Error>>(mut self, mut each: impl FnMut(u32) -> Result<(), E>) -> Result<(), E> {
        if self.runs.is_none() {
            self.sort();
            for entry in &self.entries {
                each(entry.row)?;
            }
        } else {
            self.write_run()?;
            self.arena = Vec::new();
            self.entries = Vec::new();
            self.merge(&mut each)?;
        }
        let mut at = 0;
        while at < self.without.len() {
            let rows = self.without.range(at, MERGED / 16)?;
            at += rows.len() as u64;
            rows.into_iter().try_for_each(&mut each)?;
        }
        Ok(())
    }

    fn sort(&mut self) {
        let arena = &self.arena;
        let key = |entry: &Entry| &arena[entry.start as usize..entry.start as usize + usize::from(entry.length)];
        self.entries.sort_unstable_by(|one, two| key(one).cmp(key(two)).then(one.row.cmp(&two.row)));
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.sort();
        let file = match &mut self.runs {
            Some(file) => file,
            none => none.insert(tempfile::tempfile_in(&self.folder)?),
        };
        let mut written = self.ends.last().copied().unwrap_or_default();
        let mut out = BufWriter::with_capacity(1 << 18, file);
        for entry in &self.entries {
            let start = entry.start as usize;
            let key = &self.arena[start..start + usize::from(entry.length)];
            out.write_all(&entry.length.to_le_bytes())?;
            out.write_all(&entry.row.to_le_bytes())?;
            out.write_all(key)?;
            written += (HEAD + key.len()) as u64;
        }
        out.flush()?;
        self.ends.push(written);
        self.arena.clear();
        self.entries.clear();
        Ok(())
    }

    fn merge<E: From<io::Error>>(&self, each: &mut impl FnMut(u32) -> Result<(), E>) -> Result<(), E> {
        let Some(file) = &self.runs else { return Ok(()) };
        let read = (MERGED / self.ends.len()).max(LEAST_READ);
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let mut runs: Vec<Run<'_>> = starts
            .zip(&self.ends)
            .map(|(at, end)| Run { file, at, end: *end, read, buffer: Vec::new(), place: 0 })
            .collect();
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for (number, run) in runs.iter_mut().enumerate() {
            heads.extend(run.next()?.map(|(key, row)| Reverse((key, row, number))));
        }
        while let Some(Reverse((_, row, number))) = heads.pop() {
            each(row)?;
            heads.extend(runs[number].next()?.map(|(key, row)| Reverse((key, row, number))));
        }
        Ok(())
    }
}

/// A sorted run in the scratch file.
struct Run<'a> {
    file: &'a File,
    at: u64,
    end: u64,
    read: usize,
    buffer: Vec<u8>,
    place: usize,
}

impl Run<'_> {
    fn next(&mut self) -> io::Result<Option<(Vec<u8>, u32)>> {
        if !self.has(HEAD)? {
            return Ok(None);
        }
        let head = &self.buffer[self.place..self.place + HEAD];
        let length = usize::from(u16::from_le_bytes([head[0], head[1]]));
        let row = u32::from_le_bytes([head[2], head[3], head[4], head[5]]);
        if !self.has(HEAD + length)? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let key = self.buffer[self.place + HEAD..self.place + HEAD + length].to_vec();
        self.place += HEAD + length;
        Ok(Some((key, row)))
    }

    /// Reads on until the buffer has so many bytes.
    fn has(&mut self, count: usize) -> io::Result<bool> {
        if self.buffer.len() - self.place < count && self.at < self.end {
            self.buffer.drain(..self.place);
            self.place = 0;
            let held = self.buffer.len();
            let rest = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
            self.buffer.resize(held + rest.min(self.read.max(count)), 0);
            self.file.read_exact_at(&mut self.buffer[held..], self.at)?;
            self.at += (self.buffer.len() - held) as u64;
        }
        Ok(self.buffer.len() - self.place >= count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted(keys: &[Option<Vec<u8>>], most: usize) -> Vec<u32> {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::with_most(folder.path(), most).unwrap();
        for (row, key) in (0..).zip(keys) {
            match key {
                Some(key) => sorter.push(row, key).unwrap(),
                None => sorter.push_last(row).unwrap(),
            }
        }
        let mut rows = Vec::new();
        sorter
            .finish(|row| {
                rows.push(row);
                io::Result::Ok(())
            })
            .unwrap();
        rows
    }

    proptest! {
        #[test]
        fn runs_merge_into_one_order(keys in prop::collection::vec(prop::option::of(prop::collection::vec(0_u8..4, 0..5)), 0..200)) {
            let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
            expected.sort_by_key(|row| (keys[*row as usize].is_none(), keys[*row as usize].clone()));
            prop_assert_eq!(&sorted(&keys, ARENA), &expected);
            prop_assert_eq!(&sorted(&keys, 16), &expected);
        }
    }
}
