//! Makes a place of the workspace what it was.

use aside_core::{Sha256, WorkspacePath};
use rustix::{
    fs::{AtFlags, Mode, chmodat, mkdirat, symlinkat, unlinkat},
    io::Errno,
};

use super::{Change, State, compare::kept_failed, shelf::Shelf};
use crate::{ConfinedPath, EntryKind, Workspace, WorkspaceError, kept, process::protect::is_protected};

impl Workspace {
    /// Tells whether a command may not have changed something: it governs programs.
    pub(super) fn must_go_back(&self, change: &Change) -> bool {
        let worktree = match (&change.before, &change.after) {
            (None, Some(State::File { content, .. })) | (Some(State::File { content, .. }), None) => {
                self.of_worktree(&change.path).is_some_and(|text| Sha256::of(text) == *content)
            }
            _ => false,
        };
        is_protected(change.path.as_str()) && !worktree
    }

    /// With a worktree in the workspace come and go two files that lead git elsewhere: the texts that lead it to the
    /// workspace's own history.
    fn of_worktree(&self, path: &WorkspacePath) -> Option<String> {
        let (above, name) = path.as_str().rsplit_once('/')?;
        let (folders, last) = above.rsplit_once('/').unwrap_or(("", above));
        match name {
            ".git" => Some(format!("gitdir: {}/.git/worktrees/{last}\n", self.folder().display())),
            "commondir" => (folders == ".git/worktrees").then(|| "../..\n".to_owned()),
            _ => None,
        }
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
