//! Copies what is there, before a command runs.

use std::{
    collections::{BTreeMap, HashSet},
    ffi::OsStr,
    fs::File,
    io,
    os::fd::BorrowedFd,
};

use aside_core::{ActionId, Id as _, SnapshotId, WorkspacePath};
use rustix::fs::{Mode, OFlags, Stat, openat};
use serde::{Deserialize, Serialize};

use super::{
    compare::kept_failed,
    copies::{self, Copies, share},
    coverage::{Coverage, MOST_BYTES},
    shelf::{self, Shelf},
    touched::Since,
    walk::{Met, walk},
};
use crate::{EntryKind, Workspace, WorkspaceError};

/// Nanoseconds between two times that a file system can tell apart: a tick of the kernel is at most a hundredth of a
/// second; one that counts whole seconds can be two of them behind.
const TICK: i128 = 50_000_000;
const SLOW_TICK: i128 = 2_000_000_000;

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
        taken.shelf.pass(taken.since.begun).map_err(kept_failed)?;
        Ok(taken)
    }

    fn copy_all(&self, coverage: &Coverage, since: &mut Since) -> Result<Copies, WorkspaceError> {
        let mut copies = Copies::open(self.folder()).map_err(kept_failed)?;
        let mut entries = BTreeMap::new();
        walk(&self.root, &mut |met| {
            since.was_there(&met);
            let was = if coverage.copies(&met.path) {
                met.copy(&mut copies, since.begun).map_err(|error| WorkspaceError::io("keep", &met.path, error))?
            } else if coverage.is_possible() {
                met.was(since.begun)
            } else {
                return Ok(());
            };
            entries.insert(met.path, was);
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
        Ok(Was { copy, ..self.was(now) })
    }

    /// What is there, without a copy.
    fn was(&self, now: (i64, i64)) -> Was {
        let stamp = Stamp::of(&self.stat);
        let (mode, settled) = (self.stat.st_mode & 0o7777, stamp.is_settled(now));
        Was { kind: self.kind, mode, stamp, target: self.target.clone(), copy: None, settled }
    }
}

/// Copies a file, sharing its blocks if the file system can. None if it can't be read (then a command can't either,
/// unless it owns it), or if it is on another disk, where there is nothing to share, and too large for a copy.
fn copy(folder: BorrowedFd<'_>, name: &OsStr, copies: &mut Copies) -> io::Result<Option<u64>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(from) = openat(folder, name, flags, Mode::empty()) else { return Ok(None) };
    let (number, mut to) = copies.create()?;
    let mut from = File::from(from);
    if share(&from, &to) {
        return Ok(Some(number));
    }
    if from.metadata()?.len() > MOST_BYTES {
        return copies.forget(number).map(|()| None);
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
