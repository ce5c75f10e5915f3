//! Goes back: each file as it was before the command, unless somebody has changed it since.

use aside_core::{Sha256, SnapshotId, WorkspacePath};

use super::{
    Change, Snapshot, State,
    compare::{file_state, kept_failed, link_target},
    shelf::Shelf,
};
use crate::{EntryKind, MOST_TEXT, Workspace, WorkspaceError, merge::merge_cleanly};

/// Files that are named in a refusal.
const MOST_SAID: usize = 20;

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
    /// The text that would be there, if it is neither what was nor what is: what somebody did since is kept.
    pub merged: Option<String>,
    /// Why it is not done: somebody has changed it since.
    pub conflict: Option<String>,
}

/// What becomes of files that somebody has changed since, so that going back would lose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedSince {
    /// Nothing is done at all.
    Refuse,
    /// They are left as they are, and the others go back.
    Leave,
}

/// What came of going back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The way back from that.
    pub snapshot: SnapshotId,
    /// What is as it was.
    pub paths: Vec<WorkspacePath>,
    /// What was left as it is, and why.
    pub left: Vec<(WorkspacePath, String)>,
}

impl Workspace {
    /// Says what going back to a snapshot would do, to all that it has or to some paths.
    pub fn plan_restore(&self, id: &SnapshotId, only: Option<&[WorkspacePath]>) -> Result<Restoring, WorkspaceError> {
        let (shelf, snapshot) = self.shelf(id)?;
        // What was typed and not yet written counts; it is written a moment earlier than it would be.
        snapshot.changes.iter().for_each(|change| self.save_within(&change.path));
        self.planned(&shelf, snapshot, only)
    }

    /// Returns the bytes that a file has, and those that it would have, for a preview.
    pub fn restore_texts(&self, id: &SnapshotId, file: &ToRestore) -> Result<(Vec<u8>, Vec<u8>), WorkspaceError> {
        let then = match &file.merged {
            Some(text) => text.clone().into_bytes(),
            None => self.kept_bytes(id, file.then.as_ref())?,
        };
        Ok((self.bytes_now(&file.path, file.now.as_ref())?, then))
    }

    /// Returns the bytes that a file had before a command, and those that it has, for a review.
    pub fn change_texts(&self, id: &SnapshotId, change: &Change) -> Result<(Vec<u8>, Vec<u8>), WorkspaceError> {
        let before = self.kept_bytes(id, change.before.as_ref())?;
        Ok((before, self.bytes_now(&change.path, change.after.as_ref())?))
    }

    fn kept_bytes(&self, id: &SnapshotId, state: Option<&State>) -> Result<Vec<u8>, WorkspaceError> {
        match state {
            Some(State::File { content, .. }) => self.shelf(id)?.0.get(content).map_err(kept_failed),
            _ => Ok(Vec::new()),
        }
    }

    fn bytes_now(&self, path: &WorkspacePath, state: Option<&State>) -> Result<Vec<u8>, WorkspaceError> {
        match state {
            Some(State::File { .. }) => self.root.resolve_entry(path)?.read(self.most_read()),
            _ => Ok(Vec::new()),
        }
    }

    /// Goes back.
    pub fn restore_snapshot(
        &self,
        id: &SnapshotId,
        only: Option<&[WorkspacePath]>,
        changed: ChangedSince,
    ) -> Result<Restored, WorkspaceError> {
        let (shelf, snapshot) = self.shelf(id)?;
        snapshot.changes.iter().for_each(|change| self.save_within(&change.path));
        let _disk = self.disk();
        let planned = self.planned(&shelf, snapshot, only)?;
        if changed == ChangedSince::Refuse {
            refuse_conflicts(&planned.files)?;
        }
        let (left, files): (Vec<_>, Vec<_>) = planned.files.into_iter().partition(|file| file.conflict.is_some());
        let back = self.keep_now(&shelf, &files)?;
        let failed = self.put_all(&shelf, &files);
        self.disk_changed(&files.iter().map(|file| &file.path).collect::<Vec<_>>());
        let paths = files.into_iter().map(|file| file.path);
        let paths = paths.filter(|path| failed.iter().all(|(other, _)| other != path)).collect();
        let left = left.into_iter().map(|file| (file.path, file.conflict.unwrap_or_default())).chain(failed).collect();
        Ok(Restored { snapshot: back, paths, left })
    }

    fn shelf(&self, id: &SnapshotId) -> Result<(Shelf, Snapshot), WorkspaceError> {
        Shelf::open(self.folder(), id).ok_or_else(|| WorkspaceError::NotKept(id.to_string()))
    }

    fn planned(
        &self,
        shelf: &Shelf,
        snapshot: Snapshot,
        only: Option<&[WorkspacePath]>,
    ) -> Result<Restoring, WorkspaceError> {
        let mut files = Vec::new();
        for change in &snapshot.changes {
            if only.is_some_and(|only| !only.contains(&change.path)) {
                continue;
            }
            let now = self.state_at(&change.path)?;
            if now != change.before || change.is_lost() {
                files.extend(self.to_restore(shelf, change, now)?);
            }
        }
        Ok(Restoring { snapshot, files })
    }

    /// What to do with one file; nothing if what the command did to it is not there any more.
    fn to_restore(
        &self,
        shelf: &Shelf,
        change: &Change,
        now: Option<State>,
    ) -> Result<Option<ToRestore>, WorkspaceError> {
        let (path, then) = (change.path.clone(), change.before.clone());
        let conflict = conflict(change, now.as_ref());
        let Some(text) = conflict.as_ref().and_then(|_| self.without_the_command(shelf, change, now.as_ref())) else {
            return Ok(Some(ToRestore { path, now, then, merged: None, conflict }));
        };
        let (Some(State::File { mode, .. }), content) = (&now, Sha256::of(&text)) else { return Ok(None) };
        let then = Some(State::File { content, size: text.len() as u64, mode: *mode });
        Ok((now != then).then_some(ToRestore { path, now, then, merged: Some(text), conflict: None }))
    }

    /// The text as it would be if only others had changed it; none if they changed what the command did.
    fn without_the_command(&self, shelf: &Shelf, change: &Change, now: Option<&State>) -> Option<String> {
        let text = |state: Option<&State>| match state {
            Some(State::File { content, size, .. }) if *size <= MOST_TEXT => {
                String::from_utf8(shelf.get(content).ok()?).ok()
            }
            _ => None,
        };
        if change.shared || !matches!(now, Some(State::File { .. })) {
            return None;
        }
        let (before, after) = (text(change.before.as_ref())?, text(change.after.as_ref())?);
        let now = String::from_utf8(self.bytes_now(&change.path, now).ok()?).ok()?;
        merge_cleanly(&after, &now, &before)
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
            EntryKind::File => Some(file_state(&place, entry.size, entry.mode, self.most_read())),
            EntryKind::Special => return Err(WorkspaceError::Special(path.clone())),
        })
    }

    /// Keeps what is there now, as the way back from going back, and what will be there, to find later what was done since.
    fn keep_now(&self, from: &Shelf, files: &[ToRestore]) -> Result<SnapshotId, WorkspaceError> {
        let id: SnapshotId = self.store.new_id();
        let shelf = Shelf::make(self.folder(), &id).map_err(kept_failed)?;
        for file in files {
            if let Some(State::File { .. }) = &file.now {
                shelf.put(&self.bytes_now(&file.path, file.now.as_ref())?).map_err(kept_failed)?;
            }
            let then = match (&file.merged, &file.then) {
                (Some(text), _) => text.clone().into_bytes(),
                (None, Some(State::File { content, size, .. })) if *size <= MOST_TEXT => {
                    from.get(content).map_err(kept_failed)?
                }
                _ => continue,
            };
            shelf.put(&then).map_err(kept_failed)?;
        }
        let changes = files.iter().map(|file| Change {
            path: file.path.clone(),
            before: file.now.clone(),
            after: file.then.clone(),
            shared: false,
            moved_in: false,
        });
        let (taken, changes) = (self.store.now(), changes.collect());
        let snapshot = Snapshot { id: id.clone(), taken, action: None, changes };
        shelf.finish(&snapshot).map_err(kept_failed)?;
        Ok(id)
    }

    /// What goes, goes first and from the inside out; what comes, comes from the outside in. Returns what could not be
    /// done, and why.
    fn put_all(&self, shelf: &Shelf, files: &[ToRestore]) -> Vec<(WorkspacePath, String)> {
        let gone = files.iter().rev().filter(|file| file.then.is_none());
        let back = files.iter().filter(|file| file.then.is_some());
        let put = |file: &ToRestore| {
            let put = match &file.merged {
                Some(text) => self.root.resolve_entry(&file.path).and_then(|place| place.replace(text.as_bytes())),
                None => self.put(shelf, &file.path, file.then.as_ref()),
            };
            put.err().map(|error| (file.path.clone(), error.to_string()))
        };
        gone.chain(back).filter_map(put).collect()
    }
}

fn refuse_conflicts(files: &[ToRestore]) -> Result<(), WorkspaceError> {
    let conflicts: String = files
        .iter()
        .filter_map(|file| Some(format!("\n`{}`: {}", file.path, file.conflict.as_deref()?)))
        .take(MOST_SAID)
        .collect();
    if conflicts.is_empty() { Ok(()) } else { Err(WorkspaceError::ChangedSince(conflicts)) }
}

fn conflict(change: &Change, now: Option<&State>) -> Option<String> {
    if change.shared {
        return Some("it was edited while the command ran".to_owned());
    }
    if change.moved_in {
        return Some("it came from a folder outside the snapshot and would be lost".to_owned());
    }
    if change.is_lost() {
        return Some("it was too large to copy, or could not be read".to_owned());
    }
    if matches!(now, Some(State::Unread { .. })) {
        return Some("it can't be read, or is too large to store".to_owned());
    }
    // A folder goes only if it is empty, so nothing in it can be lost.
    if change.is_folder() || now == change.after.as_ref() {
        return None;
    }
    Some(match now {
        Some(_) => "it has changed since".to_owned(),
        None => "it was deleted or moved since".to_owned(),
    })
}
