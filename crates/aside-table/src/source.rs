//! The bytes of a table: of a file, read in parts, or at hand.

use std::{
    fs::{File, Metadata},
    io,
    os::unix::fs::{FileExt as _, MetadataExt as _},
    sync::Arc,
};

/// The bytes of a table. A file is read, never mapped: one that is cut while it is mapped would end the server.
#[derive(Debug)]
pub enum TableSource {
    /// A file.
    File(File),
    /// Bytes at hand.
    Bytes(Arc<[u8]>),
}

/// The facts that tell a version of a file from another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileVersion {
    pub size: u64,
    file: (u64, u64),
    changed: (i64, i64),
    modified: (i64, i64),
}

impl FileVersion {
    /// Tells whether it is a longer version of the same file.
    pub fn may_continue(&self, earlier: &Self) -> bool {
        self.file == earlier.file && self.size > earlier.size
    }

    /// A short text that differs between versions.
    pub fn version(&self) -> String {
        let (seconds, nanoseconds) = self.modified;
        format!("{:x}-{:x}-{seconds:x}.{nanoseconds:x}", self.file.1, self.size)
    }
}

impl TableSource {
    /// Returns the facts of the version that is there now.
    pub(crate) fn stamp(&self) -> io::Result<FileVersion> {
        Ok(match self {
            Self::File(file) => stamp_of(&file.metadata()?),
            Self::Bytes(bytes) => FileVersion { size: bytes.len() as u64, ..FileVersion::default() },
        })
    }

    /// Fills a buffer with the bytes after `at`, as far as there are any, and returns how many there were.
    pub(crate) fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => fill(file, at, buffer),
            Self::Bytes(bytes) => {
                let rest = usize::try_from(at).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
                let count = rest.len().min(buffer.len());
                buffer[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            }
        }
    }
}

fn stamp_of(metadata: &Metadata) -> FileVersion {
    FileVersion {
        size: metadata.len(),
        file: (metadata.dev(), metadata.ino()),
        changed: (metadata.ctime(), metadata.ctime_nsec()),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
    }
}

fn fill(file: &File, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read_at(&mut buffer[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
