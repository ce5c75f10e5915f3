//! What a kernel said and nobody has kept yet, on the disk, for its owner alone: files that are begun one after the other,
//! and removed when all that is in them is kept.

use std::{
    collections::VecDeque,
    fs::{File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{FileExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use bytes::{Bytes, BytesMut};

use super::wire::{message, next_piece, read_message};
use crate::process::remove;

/// Bytes above which another file is begun.
const LONGEST: u64 = 16 << 20;
/// Bytes that may stay on the disk though they are kept.
const SMALL: u64 = 64 << 10;
/// Bytes that are read at once.
const AT_ONCE: u64 = 256 << 10;

/// What a kernel said and nobody has kept yet.
pub(crate) struct MessageLog {
    connection_file: PathBuf,
    parts: VecDeque<Part>,
    /// The number of what was said last.
    last: u64,
    kept: u64,
}

struct Part {
    /// The number of the first message in it.
    name: u64,
    path: PathBuf,
    file: File,
    length: u64,
    /// The number of the last message in it.
    last: u64,
}

/// How far it was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    part: u64,
    at: u64,
}

impl MessageLog {
    /// Opens what another relay of the same kernel has left, or begins anew. A torn end is cut off.
    pub fn open(connection_file: &Path) -> io::Result<Self> {
        let mut log = Self { connection_file: connection_file.to_owned(), parts: VecDeque::new(), last: 0, kept: 0 };
        for name in names(connection_file) {
            let mut part = log.part(name)?;
            let mut messages = Messages::of(&part.file);
            part.last = messages.by_ref().last().map_or(name - 1, |(number, _)| number);
            part.length = messages.whole;
            part.file.set_len(part.length)?;
            log.last = part.last;
            log.parts.push_back(part);
        }
        Ok(log)
    }

    /// Up to which number everything is kept.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// Tells whether everything is kept.
    pub fn is_kept(&self) -> bool {
        self.kept == self.last
    }

    /// The number of what was said last.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Adds a message, or nothing if that fails. Returns what was written.
    pub fn append(&mut self, frames: &[Bytes]) -> io::Result<Bytes> {
        if self.parts.back().is_none_or(|part| part.length >= LONGEST) {
            let part = self.part(self.last + 1)?;
            self.parts.push_back(part);
        }
        let number = self.last + 1;
        let piece = message(number, frames);
        let part = self.parts.back_mut().expect("it was made above");
        if let Err(error) = part.file.write_all(&piece) {
            part.file.set_len(part.length)?;
            return Err(error);
        }
        part.length += piece.len() as u64;
        (part.last, self.last) = (number, number);
        Ok(piece)
    }

    /// Everything up to a number is kept elsewhere.
    pub fn keep(&mut self, upto: u64) {
        self.kept = self.kept.max(upto.min(self.last));
        let is_done = |part: &Part| part.last <= self.kept;
        while self.parts.len() > 1 && self.parts.front().is_some_and(is_done) {
            self.parts.pop_front().iter().for_each(|part| remove(&part.path));
        }
        if self.parts.front().is_some_and(|part| is_done(part) && part.length > SMALL) {
            let Some(done) = self.parts.pop_front() else { return };
            remove(&done.path);
            // There is always one, so that another relay goes on with its number. Whoever read this one to its end goes on there.
            if let Ok(part) = self.part(self.last + 1) {
                self.parts.push_back(part);
            }
        }
    }

    /// Reads on from a place. Empty if there is no more.
    pub fn read(&self, place: &mut Place) -> io::Result<Bytes> {
        for part in &self.parts {
            if part.name < place.part {
                continue;
            }
            let at = if part.name == place.part { place.at } else { 0 };
            let length = AT_ONCE.min(part.length - at.min(part.length));
            if length > 0 {
                let mut bytes = vec![0; usize::try_from(length).expect("it is short")];
                part.file.read_exact_at(&mut bytes, at)?;
                *place = Place { part: part.name, at: at + length };
                return Ok(bytes.into());
            }
        }
        Ok(Bytes::new())
    }

    /// The place after everything.
    pub fn end(&self) -> Place {
        self.parts.back().map_or_else(Place::default, |part| Place { part: part.name, at: part.length })
    }

    /// The place before what was added last.
    pub fn before(&self, piece: &Bytes) -> Place {
        let Place { part, at } = self.end();
        Place { part, at: at - piece.len() as u64 }
    }

    fn part(&self, name: u64) -> io::Result<Part> {
        let path = path(&self.connection_file, name);
        let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(&path)?;
        Ok(Part { name, path, file, length: 0, last: self.last })
    }
}

/// Removes everything that a kernel said.
pub(crate) fn remove_messages(connection_file: &Path) {
    names(connection_file).iter().for_each(|name| remove(&path(connection_file, *name)));
}

fn path(connection_file: &Path, name: u64) -> PathBuf {
    connection_file.with_extension(format!("said-{name}"))
}

/// The names of the files that are there, in order.
fn names(connection_file: &Path) -> Vec<u64> {
    let stem = connection_file.file_stem().unwrap_or_default().to_string_lossy().into_owned() + ".said-";
    let entries = connection_file.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let found = entries.into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<u64> =
        found.filter_map(|name| name.strip_prefix(&stem)?.parse().ok()).filter(|name| *name > 0).collect();
    names.sort_unstable();
    names
}

/// The messages in a file, up to its end or to where it is torn.
struct Messages<'a> {
    file: &'a File,
    buffer: BytesMut,
    at: u64,
    /// Bytes of those that were read.
    whole: u64,
}

impl<'a> Messages<'a> {
    fn of(file: &'a File) -> Self {
        Self { file, buffer: BytesMut::new(), at: 0, whole: 0 }
    }
}

impl Iterator for Messages<'_> {
    type Item = (u64, Vec<Bytes>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(piece) = next_piece(&mut self.buffer) {
                let length = 4 + piece.len() as u64;
                let read = read_message(piece)?;
                self.whole += length;
                return Some(read);
            }
            let mut bytes = vec![0; usize::try_from(AT_ONCE).expect("it is short")];
            let read = self.file.read_at(&mut bytes, self.at).ok().filter(|read| *read > 0)?;
            self.buffer.extend_from_slice(&bytes[..read]);
            self.at += read as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(bytes: usize) -> Vec<Bytes> {
        vec![Bytes::from(vec![b'x'; bytes])]
    }

    fn read_all(log: &MessageLog, place: &mut Place) -> Vec<u64> {
        let mut buffer = BytesMut::new();
        loop {
            let bytes = log.read(place).unwrap();
            if bytes.is_empty() {
                break;
            }
            buffer.extend_from_slice(&bytes);
        }
        std::iter::from_fn(|| next_piece(&mut buffer)).map(|piece| read_message(piece).unwrap().0).collect()
    }

    #[test]
    fn it_is_read_in_order_cut_when_it_is_kept_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("kernel-1.json");
        let mut log = MessageLog::open(&file).unwrap();
        let mut place = Place::default();
        for _ in 0..5 {
            log.append(&frames(6 << 20)).unwrap();
        }
        assert_eq!(names(&file), [1, 4]);
        assert_eq!(read_all(&log, &mut place), [1, 2, 3, 4, 5]);
        assert_eq!(place, log.end());
        log.keep(3);
        assert_eq!(names(&file), [4], "what is kept is gone");
        log.append(&frames(1)).unwrap();
        assert_eq!(read_all(&log, &mut place), [6]);
        drop(log);
        // As after a crash in the middle of a write.
        OpenOptions::new().append(true).open(path(&file, 4)).unwrap().write_all(b"\x10\0\0\0torn").unwrap();
        let mut log = MessageLog::open(&file).unwrap();
        log.append(&frames(2)).unwrap();
        assert_eq!(read_all(&log, &mut Place::default()), [4, 5, 6, 7]);
        log.keep(u64::MAX);
        assert!(log.is_kept() && log.kept() == 7);
        assert_eq!(read_all(&log, &mut Place::default()), Vec::<u64>::new());
        let mut place = log.end();
        log.append(&frames(3)).unwrap();
        assert_eq!(read_all(&log, &mut place), [8]);
        remove_messages(&file);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
