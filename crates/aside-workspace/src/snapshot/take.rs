//! Copies what is there, before a command runs.

use std::{collections::BTreeMap, fs::File, io, os::fd::BorrowedFd};

use aside_core::{Id as _, SnapshotId, WorkspacePath};
use rustix::fs::{Mode, OFlags, Stat, ioctl_ficlone, openat};

use super::{
    shelf::{self, Shelf},
    walk::{Met, walk},
};
use crate::{EntryKind, Workspace, WorkspaceError, process::protect::is_protected};

/// Bytes of files that are copied.
pub const MOST_BYTES: u64 = 200 * 1024 * 1024;
/// Files, folders and links that are looked at.
pub const MOST_FILES: usize = 20_000;

/// What a snapshot would cover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Files, folders and links.
    pub entries: usize,
    /// Bytes of the files.
    pub bytes: u64,
    /// Folders that are not covered.
    pub left_out: Vec<WorkspacePath>,
}

impl Coverage {
    /// Tells whether it is within the limits; else only what governs programs is copied, and nothing can be taken back.
    pub fn is_possible(&self) -> bool {
        self.bytes <= MOST_BYTES && self.entries <= MOST_FILES
    }
}

/// The copy, before it is compared with what is there then.
#[derive(Debug)]
pub struct Taken {
    pub(super) id: SnapshotId,
    pub(super) shelf: Shelf,
    pub(super) entries: BTreeMap<WorkspacePath, Was>,
    /// When it was begun, by the clock of the file system: seconds and nanoseconds.
    pub(super) begun: (i64, i64),
    /// How often each open document was edited until then.
    pub(super) documents: BTreeMap<WorkspacePath, u64>,
    /// What it covers.
    pub coverage: Coverage,
}

/// What was at one place.
#[derive(Debug)]
pub(super) struct Was {
    pub kind: EntryKind,
    pub mode: u32,
    pub stamp: Stamp,
    pub target: Option<String>,
    /// The number of the copy, for a file that was copied.
    pub draft: Option<usize>,
}

/// What changes whenever a file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Device and inode.
    pub place: (u64, u64),
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    pub fn of(stat: &Stat) -> Self {
        Self {
            place: (stat.st_dev, stat.st_ino),
            size: u64::try_from(stat.st_size).unwrap_or_default(),
            modified: (stat.st_mtime, stat.st_mtime_nsec.cast_signed()),
            changed: (stat.st_ctime, stat.st_ctime_nsec.cast_signed()),
        }
    }
}

impl Workspace {
    /// Says what a snapshot would cover.
    pub fn snapshot_coverage(&self) -> Result<Coverage, WorkspaceError> {
        let mut coverage = Coverage::default();
        coverage.left_out = walk(&self.root, &mut |met| {
            coverage.count(&met);
            Ok(())
        })?;
        Ok(coverage)
    }

    /// Writes the open documents and copies the workspace's files.
    pub fn take_snapshot(&self) -> Result<Taken, WorkspaceError> {
        // Before they are written: who types from now on shares a file with the command.
        let documents = self.open_documents().iter().map(|open| (open.path(), open.edits())).collect();
        // What can't be written stays in its document, and is merged afterwards.
        let _ = self.save_all();
        let _disk = self.disk();
        let coverage = self.snapshot_coverage()?;
        let whole = coverage.is_possible();
        let id = SnapshotId::from_parts(self.store.now(), random());
        let failed =
            |source| WorkspaceError::Io { attempt: "keep a copy in", path: "Aside's folder".to_owned(), source };
        let shelf = Shelf::make(self.folder(), &id).map_err(failed)?;
        let begun = shelf.made().map_err(failed)?;
        let mut entries = BTreeMap::new();
        walk(&self.root, &mut |met| {
            if whole || is_protected(met.path.as_str()) {
                let number = entries.len();
                let was = met.copy(&shelf, number).map_err(|error| WorkspaceError::io("keep", &met.path, error))?;
                entries.insert(met.path, was);
            }
            Ok(())
        })?;
        Ok(Taken { id, shelf, entries, begun, documents, coverage })
    }

    /// Removes snapshots that are too old or, together, too much, and what a crash left half done. To be called when none
    /// is being taken.
    pub fn tidy_snapshots(&self) {
        shelf::tidy(self.folder(), self.store.now());
    }
}

impl Coverage {
    fn count(&mut self, met: &Met<'_>) {
        self.entries += 1;
        if met.kind == EntryKind::File {
            self.bytes += u64::try_from(met.stat.st_size).unwrap_or_default();
        }
    }
}

impl Met<'_> {
    fn copy(&self, shelf: &Shelf, number: usize) -> io::Result<Was> {
        let draft = match self.kind {
            EntryKind::File => copy(self.folder, self.name, || shelf.draft(number))?.then_some(number),
            _ => None,
        };
        let (mode, stamp) = (self.stat.st_mode & 0o7777, Stamp::of(&self.stat));
        Ok(Was { kind: self.kind, mode, stamp, target: self.target.clone(), draft })
    }
}

/// Copies a file, sharing its blocks if the file system can. `false` if it can't be read: then a command can't either,
/// unless it owns it.
fn copy(folder: BorrowedFd<'_>, name: &str, to: impl FnOnce() -> io::Result<File>) -> io::Result<bool> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(from) = openat(folder, name, flags, Mode::empty()) else { return Ok(false) };
    let (mut from, mut to) = (File::from(from), to()?);
    #[cfg(target_os = "linux")]
    if ioctl_ficlone(&to, &from).is_ok() {
        return Ok(true);
    }
    io::copy(&mut from, &mut to)?;
    Ok(true)
}

fn random() -> u128 {
    use std::hash::{BuildHasher as _, RandomState};
    // Seeded by the system each time; an id has to be new, not secret.
    let half = || u128::from(RandomState::new().hash_one(std::process::id()));
    half() << 64 | half()
}
