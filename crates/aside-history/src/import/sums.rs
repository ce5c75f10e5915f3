//! Sums of the bytes that were read of a log, a mebibyte each: with them it is noticed that something in the middle of it was changed, also
//! when more was added since.

use std::io::{self, Read, Seek, SeekFrom};

use crc32fast::Hasher;

/// Bytes of one sum.
const CHUNK: u64 = 1 << 20;
/// Sums that are compared at one look. Of longer logs the others wait for the next looks: an added line is to be seen at once.
const COMPARED: usize = 128;

/// The sums of the first bytes of a log; the last one may be of less than the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    sums: Vec<u32>,
    length: u64,
}

impl Sums {
    /// Those that were kept of so many bytes; none if they are of another number of bytes.
    pub fn read(kept: &[u8], length: u64) -> Option<Self> {
        let sums: Vec<u32> = kept.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        (sums.len() as u64 == length.div_ceil(CHUNK)).then_some(Self { sums, length })
    }

    /// To be kept.
    pub fn bytes(&self) -> Vec<u8> {
        self.sums.iter().flat_map(|sum| sum.to_le_bytes()).collect()
    }

    /// Takes in what follows.
    pub fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let begun = self.length % CHUNK;
            let (now, later) = bytes.split_at(bytes.len().min(usize::try_from(CHUNK - begun).unwrap_or(usize::MAX)));
            let before = if begun == 0 { 0 } else { self.sums.pop().unwrap_or(0) };
            let mut hasher = Hasher::new_with_initial_len(before, begun);
            hasher.update(now);
            self.sums.push(hasher.finalize());
            self.length += now.len() as u64;
            bytes = later;
        }
    }

    /// Tells whether a log still begins so. `look` is another number at each look: by it some sums are chosen where there are many.
    pub fn agree(&self, log: &mut (impl Read + Seek), look: u64, buffer: &mut Vec<u8>) -> io::Result<bool> {
        for index in compared(self.sums.len(), look) {
            let start = index as u64 * CHUNK;
            log.seek(SeekFrom::Start(start))?;
            buffer.clear();
            log.by_ref().take(CHUNK.min(self.length - start)).read_to_end(buffer)?;
            if crc32fast::hash(buffer) != self.sums[index] {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Which of so many sums are compared.
fn compared(sums: usize, look: u64) -> impl Iterator<Item = usize> {
    let step = sums.div_ceil(COMPARED).max(1);
    let first = usize::try_from(look % step as u64).unwrap_or(0);
    (first..sums).step_by(step)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, io::Cursor};

    use super::*;

    #[test]
    fn sums_are_the_same_however_the_bytes_came_and_other_bytes_have_others() {
        let log: Vec<u8> = (0..u32::try_from(5 * CHUNK / 2 / 4).unwrap()).flat_map(u32::to_le_bytes).collect();
        let of = |pieces: usize| {
            let mut sums = Sums::default();
            log.chunks(pieces).for_each(|piece| sums.add(piece));
            sums
        };
        let sums = of(log.len());
        assert_eq!((sums.sums.len(), &of(7_777)), (3, &sums));
        let length = log.len() as u64;
        assert_eq!(Sums::read(&sums.bytes(), length), Some(sums.clone()));
        assert_eq!([Sums::read(&[], length), Sums::read(&sums.bytes(), CHUNK)], [None, None]);
        let agree = |log: &[u8]| sums.agree(&mut Cursor::new(log), 0, &mut Vec::new()).unwrap();
        assert!(agree(&log) && agree(&[&log[..], b"more"].concat()));
        for at in [0, 1 << 20, log.len() - 1] {
            let mut other = log.clone();
            other[at] ^= 1;
            assert!(!agree(&other), "{at}");
        }
        assert!(!agree(&log[..log.len() - 1]));
    }

    #[test]
    fn of_a_long_log_some_looks_compare_all() {
        assert_eq!(compared(128, 5).count(), 128);
        let looks: Vec<Vec<usize>> = (0..3).map(|look| compared(300, look).collect()).collect();
        assert!(looks.iter().all(|look| look.len() == 100));
        assert_eq!(looks.into_iter().flatten().collect::<BTreeSet<_>>().len(), 300);
    }
}
