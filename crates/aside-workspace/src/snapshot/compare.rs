//! Finds what a command changed, puts back what it may not change, and keeps what is needed to go back.

use std::{
    collections::{BTreeMap, HashSet},
    io,
};

use aside_core::{Sha256, WorkspacePath};
use rustix::fs::{AtFlags, Stat, statat};
#[cfg(target_os = "linux")]
use rustix::fs::{StatxFlags, statx};

use super::{
    Change, Compared, Snapshot, State,
    shelf::Shelf,
    take::{Stamp, Taken, Was},
    walk::{Met, walk},
};
use crate::{
    ConfinedPath, EntryKind, MOST_TEXT, Workspace, WorkspaceError, confined::entry, process::protect::is_protected,
};

impl Workspace {
    /// Compares the files with a copy. Afterwards open documents take in what is different on the disk.
    pub fn compare_snapshot(&self, taken: Taken) -> Result<Compared, WorkspaceError> {
        let _disk = self.disk();
        let (mut changes, mut put_back) = (Vec::new(), Vec::new());
        for change in self.differences(&taken)? {
            if self.must_go_back(&change) {
                put_back.push(change);
            } else {
                changes.push(change);
            }
        }
        let compared_all = taken.coverage.is_possible();
        let touched = if compared_all { None } else { Some(self.touched_since(&taken.since)?) };
        let not_put_back = self.put_back(&taken.shelf, &put_back);
        let different: Vec<&WorkspacePath> = changes.iter().chain(&put_back).map(|change| &change.path).collect();
        self.disk_changed(&different);
        put_back.retain(|change| !change.is_folder() && !not_put_back.contains(&change.path));
        let put_back: Vec<_> = put_back.into_iter().map(|change| change.path).collect();
        let touched = touched.map(|touched| touched.into_iter().filter(|path| !put_back.contains(path)).collect());
        let snapshot = self.finish(taken, &changes)?;
        Ok(Compared { snapshot, changes, touched, put_back, not_put_back })
    }

    /// Keeps the snapshot if it can be gone back to.
    fn finish(&self, taken: Taken, changes: &[Change]) -> Result<Option<Snapshot>, WorkspaceError> {
        let goes_back = changes.iter().any(|change| !change.is_lost());
        if !goes_back || !taken.coverage.is_possible() {
            taken.shelf.remove();
            return Ok(None);
        }
        self.keep_bases(&taken.shelf, changes);
        let (now, changes) = (self.store.now(), changes.to_vec());
        let snapshot = Snapshot { id: taken.id, taken: now, action: Some(taken.action), changes };
        taken.shelf.finish(&snapshot).map_err(kept_failed)?;
        Ok(Some(snapshot))
    }

    /// Keeps what a command has made of texts: from there to what somebody makes of them is what they have done.
    fn keep_bases(&self, shelf: &Shelf, changes: &[Change]) {
        for change in changes {
            let (Some(State::File { .. }), Some(State::File { content, size, .. })) = (&change.before, &change.after)
            else {
                continue;
            };
            if *size > MOST_TEXT {
                continue;
            }
            let place = self.root.resolve_entry(&change.path).ok().filter(|place| *place.path() == change.path);
            let bytes =
                place.and_then(|place| place.read(MOST_TEXT).ok()).filter(|bytes| Sha256::of(bytes) == *content);
            // Without it, what is changed since is left as it is.
            let _ = bytes.map(|bytes| shelf.put(&bytes));
        }
    }

    fn differences(&self, taken: &Taken) -> Result<Vec<Change>, WorkspaceError> {
        let mut left: BTreeMap<&WorkspacePath, &Was> = taken.entries().iter().collect();
        let (mut changes, mut left_to_read) = (Vec::new(), self.most_read());
        let whole = taken.coverage.is_possible();
        let known_places = KnownPlaces::of(taken);
        walk(&self.root, &mut |met| {
            let was = left.remove(&met.path);
            let known = was.is_some() || whole && !taken.was_left_out(&met.path) || is_protected(met.path.as_str());
            if known && was.is_none_or(|was| was.may_differ(met.kind, &met.stat, met.target.as_deref())) {
                let after = met.state(&mut left_to_read)?;
                let moved_in = was.is_none() && known_places.moved_in(&met);
                let change = self.change(taken, was, after, &met.path)?;
                changes.extend(change.map(|change| Change { moved_in, ..change }));
            }
            Ok(())
        })?;
        for (path, was) in left {
            changes.extend(self.change_of_unmet(taken, path, was, &mut left_to_read)?);
        }
        changes.sort_by(|one, two| one.path.cmp(&two.path));
        Ok(changes)
    }

    /// What was there and was not met again: it is gone, or lies in a folder that git ignores by now.
    fn change_of_unmet(
        &self,
        taken: &Taken,
        path: &WorkspacePath,
        was: &Was,
        left_to_read: &mut u64,
    ) -> Result<Option<Change>, WorkspaceError> {
        let place = match self.root.resolve_entry(path) {
            Ok(place) if place.path() == path => place,
            _ => return self.change(taken, Some(was), None, path),
        };
        let Ok(stat) = statat(place.folder(), place.name(), AtFlags::SYMLINK_NOFOLLOW) else {
            return self.change(taken, Some(was), None, path);
        };
        let kind = entry(&stat).kind;
        let target = (kind == EntryKind::Link).then(|| link_target(&place)).flatten();
        if !was.may_differ(kind, &stat, target.as_deref()) {
            return Ok(None);
        }
        let met = Met { folder: place.folder(), name: place.name(), path: path.clone(), kind, stat, target };
        self.change(taken, Some(was), met.state(left_to_read)?, path)
    }

    fn change(
        &self,
        taken: &Taken,
        was: Option<&Was>,
        after: Option<State>,
        path: &WorkspacePath,
    ) -> Result<Option<Change>, WorkspaceError> {
        let before = match was {
            Some(was) => was.state(taken).map_err(kept_failed)?,
            None => None,
        };
        // Of two that were not read nobody knows whether they are the same.
        if before == after && !matches!(before, Some(State::Unread { .. })) {
            return Ok(None);
        }
        let shared = match &taken.documents {
            Some(edits) => self
                .open_document(path)
                .is_some_and(|open| edits.get(path).copied().unwrap_or_default() != open.edits()),
            None => self.may_be_typed_into(&taken.shelf, path, before.as_ref()),
        };
        Ok(Some(Change { path: path.clone(), before, after, shared, moved_in: false }))
    }

    /// What governs programs is as it was, whatever it takes. Returns what could not be.
    fn put_back(&self, shelf: &Shelf, changes: &[Change]) -> Vec<WorkspacePath> {
        let gone = changes.iter().rev().filter(|change| change.before.is_none());
        let back = changes.iter().filter(|change| change.before.is_some());
        let put = |change: &Change| match self.put(shelf, &change.path, change.before.as_ref()) {
            Ok(()) => None,
            Err(error) => {
                tracing::warn!(%error, "a file that controls programs was changed and could not be restored");
                Some(change.path.clone())
            }
        };
        gone.chain(back).filter_map(put).collect()
    }
}

/// Where the files were, to tell what is new from what only has a new name.
struct KnownPlaces {
    copied: HashSet<(u64, u64)>,
    not_copied: HashSet<(u64, u64)>,
    begun: (i64, i64),
}

impl KnownPlaces {
    fn of(taken: &Taken) -> Self {
        let files = taken.entries().values().filter(|was| was.kind == EntryKind::File);
        let (copied, not_copied): (Vec<_>, Vec<_>) = files.partition(|was| was.copy.is_some());
        let places = |files: Vec<&Was>| files.into_iter().map(|was| was.stamp.place).collect();
        Self { copied: places(copied), not_copied: places(not_copied), begun: taken.since.begun }
    }

    /// Tells whether a file is one that was not copied, or not younger than the copy: then it comes from a place that is not
    /// covered. What a command makes is younger: the clock goes on before it runs.
    fn moved_in(&self, met: &Met<'_>) -> bool {
        let place = Stamp::of(&met.stat).place;
        let is_older = || !self.copied.contains(&place) && met.born() <= self.begun;
        met.kind == EntryKind::File && (self.not_copied.contains(&place) || is_older())
    }
}

impl Met<'_> {
    /// When the file was made; when it was changed last, where the file system does not know.
    fn born(&self) -> (i64, i64) {
        #[cfg(target_os = "linux")]
        if let Ok(found) = statx(self.folder, self.name, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::BTIME)
            && StatxFlags::from_bits_retain(found.stx_mask).contains(StatxFlags::BTIME)
        {
            return (found.stx_btime.tv_sec, found.stx_btime.tv_nsec.into());
        }
        (self.stat.st_ctime, self.stat.st_ctime_nsec.cast_signed())
    }

    /// What is there now. Of all files together not more is read than is left to read.
    fn state(&self, left_to_read: &mut u64) -> Result<Option<State>, WorkspaceError> {
        let mode = self.stat.st_mode & 0o7777;
        Ok(match self.kind {
            EntryKind::Folder => Some(State::Folder { mode }),
            EntryKind::Link => self.target.clone().map(|target| State::Link { target }),
            EntryKind::File => {
                let failed = |error| WorkspaceError::io("inspect", &self.path, error);
                let folder = self.folder.try_clone_to_owned().map_err(failed)?;
                let place = ConfinedPath::new(folder, self.name.to_owned(), self.path.clone());
                let size = u64::try_from(self.stat.st_size).unwrap_or_default();
                let state = file_state(&place, size, mode, *left_to_read);
                *left_to_read -= if let State::File { size, .. } = state { size } else { 0 };
                Some(state)
            }
            EntryKind::Special => None,
        })
    }
}

/// Reads a file of at most so many bytes.
pub(super) fn file_state(place: &ConfinedPath, size: u64, mode: u32, limit: u64) -> State {
    match place.read(limit) {
        Ok(bytes) => State::File { content: Sha256::of(&bytes), size: bytes.len() as u64, mode },
        Err(_) => State::Unread { size, mode },
    }
}

impl Taken {
    fn was_left_out(&self, path: &WorkspacePath) -> bool {
        self.coverage.left_out.iter().any(|left_out| path.is_within(left_out))
    }
}

impl Was {
    fn may_differ(&self, kind: EntryKind, stat: &Stat, target: Option<&str>) -> bool {
        let same = match kind {
            EntryKind::File => Stamp::of(stat) == self.stamp,
            EntryKind::Link => target == self.target.as_deref(),
            // Its times change with what is in it.
            EntryKind::Folder | EntryKind::Special => stat.st_mode & 0o7777 == self.mode,
        };
        kind != self.kind || !same
    }

    /// What was there, with its content kept under its hash.
    fn state(&self, taken: &Taken) -> io::Result<Option<State>> {
        let mode = self.mode;
        Ok(match (self.kind, self.copy) {
            (EntryKind::Folder, _) => Some(State::Folder { mode }),
            (EntryKind::Link, _) => self.target.clone().map(|target| State::Link { target }),
            (EntryKind::File, Some(number)) => {
                let bytes = taken.copies.read(number, &self.stamp)?;
                let content = taken.shelf.take_over(&taken.copies.path(number), &bytes)?;
                Some(State::File { content, size: bytes.len() as u64, mode })
            }
            (EntryKind::File, None) => Some(State::Unread { size: self.stamp.size, mode }),
            (EntryKind::Special, _) => None,
        })
    }
}

pub(super) fn link_target(place: &ConfinedPath) -> Option<String> {
    rustix::fs::readlinkat(place.folder(), place.name(), Vec::new()).ok()?.into_string().ok()
}

pub(super) fn kept_failed(source: io::Error) -> WorkspaceError {
    WorkspaceError::Io { attempt: "store a copy in", path: "Aside's folder".to_owned(), source }
}
