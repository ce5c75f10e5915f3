//! Goes back: each file as it was before the command, unless somebody has changed it since.

use aside_core::{SnapshotId, WorkspacePath};
use rustix::{
    fs::{AtFlags, Mode, chmodat, mkdirat, symlinkat, unlinkat},
    io::Errno,
};

use super::{
    Change, Snapshot, State,
    compare::{file_state, kept_failed, link_target},
    shelf::Shelf,
    take::MOST_BYTES,
};
use crate::{ConfinedPath, EntryKind, Workspace, WorkspaceError, kept};

/// What going back would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restoring {
    /// The snapshot.
    pub snapshot: Snapshot,
    /// One entry for each change that is not taken back already.
    pub files: Vec<ToRestore>,
}

/// What going back would do to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToRestore {
    /// Its path.
    pub path: WorkspacePath,
    /// What is there now.
    pub now: Option<State>,
    /// What would be there.
    pub then: Option<State>,
    /// Why it is not done: somebody has changed it since.
    pub conflict: Option<String>,
}

/// What came of going back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The way back from that.
    pub snapshot: SnapshotId,
    /// What is as it was.
    pub paths: Vec<WorkspacePath>,
    /// What was left as it is.
    pub left: Vec<WorkspacePath>,
}

impl Workspace {
    /// Says what going back to a snapshot would do, to all that it has or to some paths.
    pub fn plan_restore(&self, id: &SnapshotId, only: Option<&[WorkspacePath]>) -> Result<Restoring, WorkspaceError> {
        let snapshot = self.shelf(id)?.1;
        self.planned(snapshot, only)
    }

    /// Returns the bytes that a file had, and those that it has, for a preview.
    pub fn restore_texts(&self, id: &SnapshotId, file: &ToRestore) -> Result<(Vec<u8>, Vec<u8>), WorkspaceError> {
        let (shelf, _) = self.shelf(id)?;
        let then = match &file.then {
            Some(State::File { content, .. }) => shelf.get(content).map_err(kept_failed)?,
            _ => Vec::new(),
        };
        let now = match &file.now {
            Some(State::File { .. }) => self.root.resolve_entry(&file.path)?.read(MOST_BYTES)?,
            _ => Vec::new(),
        };
        Ok((now, then))
    }

    /// Goes back. What somebody has changed since is left as it is; the caller has asked before.
    pub fn restore_snapshot(
        &self,
        id: &SnapshotId,
        only: Option<&[WorkspacePath]>,
    ) -> Result<Restored, WorkspaceError> {
        let (shelf, snapshot) = self.shelf(id)?;
        for change in &snapshot.changes {
            self.save_within(&change.path);
        }
        let _disk = self.disk();
        let planned = self.planned(snapshot, only)?;
        let (left, files): (Vec<_>, Vec<_>) = planned.files.into_iter().partition(|file| file.conflict.is_some());
        let back = self.keep_now(&files)?;
        let paths = self.put_all(&shelf, &files);
        self.disk_changed(&files.iter().map(|file| &file.path).collect::<Vec<_>>());
        let left = left.into_iter().map(|file| file.path).collect();
        Ok(Restored { snapshot: back, paths: paths?, left })
    }

    fn shelf(&self, id: &SnapshotId) -> Result<(Shelf, Snapshot), WorkspaceError> {
        Shelf::open(self.folder(), id).ok_or_else(|| WorkspaceError::NotKept(id.to_string()))
    }

    fn planned(&self, snapshot: Snapshot, only: Option<&[WorkspacePath]>) -> Result<Restoring, WorkspaceError> {
        let mut files = Vec::new();
        for change in &snapshot.changes {
            if only.is_some_and(|only| !only.contains(&change.path)) {
                continue;
            }
            let now = self.state_at(&change.path)?;
            if now != change.before {
                files.push(ToRestore {
                    path: change.path.clone(),
                    conflict: conflict(change, now.as_ref()),
                    now,
                    then: change.before.clone(),
                });
            }
        }
        Ok(Restoring { snapshot, files })
    }

    /// What is at a place now; nothing if it can't be reached any more.
    fn state_at(&self, path: &WorkspacePath) -> Result<Option<State>, WorkspaceError> {
        let place = match self.root.resolve_entry(path) {
            Ok(place) if place.path() == path => place,
            Ok(_) | Err(WorkspaceError::NotFound(_) | WorkspaceError::Outside { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(entry) = place.entry()? else { return Ok(None) };
        Ok(match entry.kind {
            EntryKind::Folder => Some(State::Folder { mode: entry.mode }),
            EntryKind::Link => link_target(&place).map(|target| State::Link { target }),
            EntryKind::File => Some(file_state(&place, entry.size, entry.mode, MOST_BYTES)),
            EntryKind::Special => return Err(WorkspaceError::Special(path.clone())),
        })
    }

    /// Keeps what is there now, as the way back from going back.
    fn keep_now(&self, files: &[ToRestore]) -> Result<SnapshotId, WorkspaceError> {
        let id: SnapshotId = self.store.new_id();
        let shelf = Shelf::make(self.folder(), &id).map_err(kept_failed)?;
        for file in files {
            if let Some(State::File { .. }) = &file.now {
                let bytes = self.root.resolve_entry(&file.path)?.read(MOST_BYTES)?;
                shelf.put(&bytes).map_err(kept_failed)?;
            }
        }
        let changes = files.iter().map(|file| Change {
            path: file.path.clone(),
            before: file.now.clone(),
            after: file.then.clone(),
            shared: false,
        });
        let snapshot = Snapshot { id: id.clone(), taken: self.store.now(), changes: changes.collect() };
        shelf.finish(&snapshot).map_err(kept_failed)?;
        Ok(id)
    }

    /// What goes, goes first and from the inside out; what comes, comes from the outside in.
    fn put_all(&self, shelf: &Shelf, files: &[ToRestore]) -> Result<Vec<WorkspacePath>, WorkspaceError> {
        for file in files.iter().rev().filter(|file| file.then.is_none()) {
            self.put(shelf, &file.path, None)?;
        }
        for file in files.iter().filter(|file| file.then.is_some()) {
            self.put(shelf, &file.path, file.then.as_ref())?;
        }
        Ok(files.iter().map(|file| file.path.clone()).collect())
    }

    /// Makes a place what it should be. A folder that should go stays if something is in it.
    pub(super) fn put(&self, shelf: &Shelf, path: &WorkspacePath, state: Option<&State>) -> Result<(), WorkspaceError> {
        if state.is_some() {
            self.make_parents(path)?;
        }
        let place = match self.root.resolve_entry(path) {
            Err(WorkspaceError::NotFound(_)) if state.is_none() => return Ok(()),
            place => place?,
        };
        let there = place.entry()?.map(|entry| entry.kind);
        match (state, there) {
            (None, None) => Ok(()),
            (None, Some(EntryKind::Folder)) => remove_empty(&place),
            (None, Some(_)) => kept::remove(&place),
            (Some(State::File { content, mode, .. }), there) => {
                let bytes = shelf.get(content).map_err(kept_failed)?;
                make_way(&place, there, EntryKind::File)?;
                match there {
                    Some(EntryKind::File) => place.replace(&bytes).and_then(|()| set_mode(&place, *mode)),
                    _ => place.create(&bytes, Some(*mode)),
                }
            }
            // Nothing is known that could be put there.
            (Some(State::Unread { .. }), _) => Err(WorkspaceError::NotKept(path.to_string())),
            (Some(State::Folder { mode }), Some(EntryKind::Folder)) => set_mode(&place, *mode),
            (Some(State::Folder { mode }), there) => {
                make_way(&place, there, EntryKind::Folder)?;
                let made = mkdirat(place.folder(), place.name(), Mode::from(*mode & 0o7777));
                made.map_err(|errno| place.io("create", errno))
            }
            (Some(State::Link { target }), there) => {
                make_way(&place, there, EntryKind::Special)?;
                let made = symlinkat(target.as_str(), place.folder(), place.name());
                made.map_err(|errno| place.io("create", errno))
            }
        }
    }
}

/// Takes away what is of another kind. A folder with something in it is left, and the change fails.
fn make_way(place: &ConfinedPath, there: Option<EntryKind>, wanted: EntryKind) -> Result<(), WorkspaceError> {
    match there {
        None => Ok(()),
        Some(kind) if kind == wanted => Ok(()),
        Some(EntryKind::Folder) => {
            let removed = unlinkat(place.folder(), place.name(), AtFlags::REMOVEDIR);
            removed.map_err(|errno| place.io("replace", errno))
        }
        Some(_) => kept::remove(place),
    }
}

fn remove_empty(place: &ConfinedPath) -> Result<(), WorkspaceError> {
    match unlinkat(place.folder(), place.name(), AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(()),
        Err(errno) => Err(place.io("delete", errno)),
    }
}

fn set_mode(place: &ConfinedPath, mode: u32) -> Result<(), WorkspaceError> {
    let set = chmodat(place.folder(), place.name(), Mode::from(mode & 0o7777), AtFlags::empty());
    set.map_err(|errno| place.io("change", errno))
}

fn conflict(change: &Change, now: Option<&State>) -> Option<String> {
    if change.shared {
        return Some("it was edited while the command ran".to_owned());
    }
    if matches!(now, Some(State::Unread { .. })) {
        return Some("it can't be read, or is too large to be kept".to_owned());
    }
    // A folder goes only if it is empty, so nothing in it can be lost.
    if change.is_folder() || now == change.after.as_ref() {
        return None;
    }
    Some(match now {
        Some(_) => "it was changed since".to_owned(),
        None => "it was deleted or moved since".to_owned(),
    })
}
