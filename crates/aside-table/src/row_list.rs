//! A list of row numbers in a scratch file, of which the newest are still in memory.

use std::{
    fs::File,
    io::{self, Write as _},
    os::unix::fs::FileExt as _,
    path::Path,
};

/// Numbers that are written at a time.
const BATCH: usize = 16 << 10;
const BYTES: u64 = 4;

/// Row numbers, in the order of the shown rows. The file has no name, so that it is gone with the list.
#[derive(Debug)]
pub(crate) struct RowList {
    file: File,
    written: u64,
    tail: Vec<u32>,
}

impl RowList {
    pub fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self { file: tempfile::tempfile_in(folder)?, written: 0, tail: Vec::new() })
    }

    pub fn len(&self) -> u64 {
        self.written + self.tail.len() as u64
    }

    pub fn push(&mut self, row: u32) -> io::Result<()> {
        self.tail.push(row);
        if self.tail.len() < BATCH {
            return Ok(());
        }
        let bytes: Vec<u8> = self.tail.iter().flat_map(|row| row.to_le_bytes()).collect();
        self.file.write_all(&bytes)?;
        self.written += self.tail.len() as u64;
        self.tail.clear();
        Ok(())
    }

    /// The numbers from a place on; fewer at the end.
    pub fn range(&self, from: u64, count: usize) -> io::Result<Vec<u32>> {
        let end = (from.saturating_add(count as u64)).min(self.len());
        if from >= end {
            return Ok(Vec::new());
        }
        let on_disk = from.min(self.written)..end.min(self.written);
        let mut bytes = vec![0; usize::try_from((on_disk.end - on_disk.start) * BYTES).expect("a range is short")];
        self.file.read_exact_at(&mut bytes, on_disk.start * BYTES)?;
        let (numbers, _) = bytes.as_chunks::<4>();
        let mut rows: Vec<u32> = numbers.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let place = |place: u64| usize::try_from(place.saturating_sub(self.written)).expect("the tail is short");
        rows.extend_from_slice(&self.tail[place(from)..place(end)]);
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_span_disk_and_memory() {
        let folder = tempfile::tempdir().unwrap();
        let mut list = RowList::new(folder.path()).unwrap();
        for row in 0..BATCH as u32 + 10 {
            list.push(row * 2).unwrap();
        }
        assert_eq!(list.len(), BATCH as u64 + 10);
        assert_eq!(list.range(0, 3).unwrap(), [0, 2, 4]);
        let across = list.range(BATCH as u64 - 1, 3).unwrap();
        assert_eq!(across, [BATCH as u32 - 1, BATCH as u32, BATCH as u32 + 1].map(|row| row * 2));
        assert_eq!(list.range(BATCH as u64 + 8, 99).unwrap().len(), 2);
        assert!(list.range(1 << 40, 5).unwrap().is_empty());
    }
}
