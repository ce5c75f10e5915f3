//! Copies what is there, before a command runs.

use std::{
    collections::{BTreeMap, HashSet},
    fs::File,
    io,
    os::fd::BorrowedFd,
};

use aside_core::{ActionId, Id as _, SnapshotId, WorkspacePath};
use rustix::fs::{Mode, OFlags, Stat, ioctl_ficlone, openat};
use serde::{Deserialize, Serialize};

use super::{
    compare::kept_failed,
    copies::{self, Copies},
    shelf::{self, Shelf},
    touched::Since,
    walk::{Met, walk},
};
use crate::{EntryKind, Workspace, WorkspaceError, process::protect::is_protected};

/// Bytes of files that are copied.
pub const MOST_BYTES: u64 = 200_000_000;
/// Files, folders and links that are looked at.
pub const MOST_FILES: usize = 20_000;

/// Nanoseconds between two times that a file system can tell apart: a tick of the kernel is at most a hundredth of a
/// second; one that counts whole seconds can be two of them behind.
const TICK: i128 = 50_000_000;
const SLOW_TICK: i128 = 2_000_000_000;

/// What a snapshot would cover.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    pub(super) copies: Copies,
    /// For which action.
    pub(super) action: ActionId,
    pub(super) since: Since,
    /// How often each open document was edited until then; none if the server was killed since.
    pub(super) documents: Option<BTreeMap<WorkspacePath, u64>>,
    /// What it covers.
    pub coverage: Coverage,
}

/// What was at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Was {
    pub kind: EntryKind,
    pub mode: u32,
    pub stamp: Stamp,
    pub target: Option<String>,
    /// The number of the copy, for a file that was copied.
    pub copy: Option<u64>,
    /// Nothing can have been written since under the same stamp.
    pub settled: bool,
}

/// What changes whenever a file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// Device and inode.
    pub place: (u64, u64),
    /// Bytes.
    pub size: u64,
    modified: (i64, i64),
    pub changed: (i64, i64),
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

    /// Tells whether a change after `now` would have another stamp: the clocks of file systems tick, some slowly.
    fn is_settled(&self, now: (i64, i64)) -> bool {
        let nanoseconds = |(seconds, rest): (i64, i64)| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        let latest = nanoseconds(self.changed).max(nanoseconds(self.modified));
        let tick = if self.changed.1 == 0 { SLOW_TICK } else { TICK };
        latest + tick < nanoseconds(now)
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

    /// Writes the open documents and copies what of the workspace's files has changed since the last copy. On disk before
    /// it returns: if the server is killed from then on, [`Workspace::cut_off_snapshot`] finds it.
    pub fn take_snapshot(&self, action: &ActionId) -> Result<Taken, WorkspaceError> {
        // Before they are written: who types from now on shares a file with the command.
        let documents = Some(self.open_documents().iter().map(|open| (open.path(), open.edits())).collect());
        // What can't be written stays in its document, and is merged afterwards.
        let _ = self.save_all();
        let _disk = self.disk();
        let coverage = self.snapshot_coverage()?;
        let id = SnapshotId::from_parts(self.store.now(), random());
        let shelf = Shelf::make(self.folder(), &id).map_err(kept_failed)?;
        let mut since = Since { begun: shelf.made().map_err(kept_failed)?, folders: Some(HashSet::new()) };
        let copies = self.copy_all(&coverage, &mut since)?;
        let taken = Taken { id, shelf, copies, action: action.clone(), since, documents, coverage };
        taken.shelf.begin(&taken.as_begun()).map_err(kept_failed)?;
        Ok(taken)
    }

    fn copy_all(&self, coverage: &Coverage, since: &mut Since) -> Result<Copies, WorkspaceError> {
        let mut copies = Copies::open(self.folder()).map_err(kept_failed)?;
        let (whole, mut entries) = (coverage.is_possible(), BTreeMap::new());
        walk(&self.root, &mut |met| {
            since.was_there(&met);
            if whole || is_protected(met.path.as_str()) {
                let was =
                    met.copy(&mut copies, since.begun).map_err(|error| WorkspaceError::io("keep", &met.path, error))?;
                entries.insert(met.path, was);
            }
            Ok(())
        })?;
        copies.keep(entries).map_err(kept_failed)?;
        Ok(copies)
    }

    /// Removes snapshots that are too old or, together, too much, and what a crash left half done. To be called when none
    /// is being taken.
    pub fn tidy_snapshots(&self) {
        shelf::tidy(self.folder(), self.store.now());
        copies::tidy(self.folder());
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

impl Taken {
    /// What was at each place.
    pub(super) fn entries(&self) -> &BTreeMap<WorkspacePath, Was> {
        self.copies.entries()
    }

    /// When the command began, for [`Workspace::touched_since`].
    pub fn since(&self) -> &Since {
        &self.since
    }

    /// How many files had to be copied: those that are new or have changed since the last command.
    pub fn copied(&self) -> usize {
        self.copies.copied()
    }
}

impl Met<'_> {
    fn copy(&self, copies: &mut Copies, now: (i64, i64)) -> io::Result<Was> {
        let stamp = Stamp::of(&self.stat);
        let known = copies.still_good(&self.path, &stamp);
        let copy = match (self.kind, known) {
            (EntryKind::File, None) => copy(self.folder, self.name, copies)?,
            (_, known) => known,
        };
        let (mode, settled) = (self.stat.st_mode & 0o7777, stamp.is_settled(now));
        Ok(Was { kind: self.kind, mode, stamp, target: self.target.clone(), copy, settled })
    }
}

/// Copies a file, sharing its blocks if the file system can. None if it can't be read: then a command can't either,
/// unless it owns it.
fn copy(folder: BorrowedFd<'_>, name: &str, copies: &mut Copies) -> io::Result<Option<u64>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(from) = openat(folder, name, flags, Mode::empty()) else { return Ok(None) };
    let (number, mut to) = copies.create()?;
    let mut from = File::from(from);
    #[cfg(target_os = "linux")]
    if ioctl_ficlone(&to, &from).is_ok() {
        return Ok(Some(number));
    }
    io::copy(&mut from, &mut to)?;
    Ok(Some(number))
}

fn random() -> u128 {
    use std::hash::{BuildHasher as _, RandomState};
    // Seeded by the system each time; an id has to be new, not secret.
    let half = || u128::from(RandomState::new().hash_one(std::process::id()));
    half() << 64 | half()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_vouches_for_a_file_only_after_a_tick() {
        let stamp = |changed| Stamp { place: (1, 2), size: 3, modified: (90, 5), changed };
        assert!(stamp((99, 900_000_000)).is_settled((100, 0)));
        assert!(!stamp((99, 990_000_000)).is_settled((100, 0)));
        assert!(!stamp((98, 0)).is_settled((100, 0)), "it may count whole seconds");
        assert!(stamp((97, 0)).is_settled((100, 0)));
        assert!(!stamp((200, 1)).is_settled((100, 0)), "a clock that was set back");
    }
}
