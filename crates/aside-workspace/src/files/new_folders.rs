//! The folders that a path needs: made with what comes there, and gone again with it.

use aside_core::WorkspacePath;
use rustix::fs::{AtFlags, Mode, mkdirat, unlinkat};

use super::Placed;
use crate::{ConfinedPath, EntryKind, KeptId, Workspace, WorkspaceError};

impl Workspace {
    /// Makes the folders a path needs, and puts something there; takes them away again if that fails. The work returns
    /// what it has overwritten.
    pub(super) fn in_new_folders(
        &self,
        path: &WorkspacePath,
        work: impl FnOnce() -> Result<Option<KeptId>, WorkspaceError>,
    ) -> Result<Placed, WorkspaceError> {
        let made_folder = self.make_parents(path)?;
        match work() {
            Ok(overwritten) => Ok(Placed { overwritten, made_folder, left: self.left_at(path).ok() }),
            Err(error) => {
                self.remove_empty_folders(path, made_folder.as_ref());
                Err(error)
            }
        }
    }

    /// Makes the folders a path needs and returns the topmost that was missing.
    pub(crate) fn make_parents(&self, path: &WorkspacePath) -> Result<Option<WorkspacePath>, WorkspaceError> {
        let Some(parent) = path.parent() else { return Ok(None) };
        match self.root.resolve(&parent) {
            Ok(place) => match place.entry()?.map(|entry| entry.kind) {
                Some(EntryKind::Folder) => Ok(None),
                Some(_) => Err(WorkspaceError::NotFolder(parent)),
                None => self.make_folder(&place, parent),
            },
            Err(WorkspaceError::NotFound(_)) => {
                let above = self.make_parents(&parent)?;
                let made = self.root.resolve(&parent).and_then(|place| self.make_folder(&place, parent.clone()));
                match made {
                    Ok(made) => Ok(above.or(made)),
                    Err(error) => {
                        self.remove_empty_folders(&parent, above.as_ref());
                        Err(error)
                    }
                }
            }
            Err(error) => Err(error),
        }
    }

    fn make_folder(&self, place: &ConfinedPath, path: WorkspacePath) -> Result<Option<WorkspacePath>, WorkspaceError> {
        mkdirat(place.folder(), place.name(), Mode::from(0o777)).map_err(|errno| place.io("create", errno))?;
        Ok(Some(path))
    }

    pub(crate) fn remove_empty_folders(&self, path: &WorkspacePath, tidy: Option<&WorkspacePath>) {
        let Some(top) = tidy else { return };
        let mut folder = path.parent();
        while let Some(path) = folder.filter(|folder| folder.is_within(top)) {
            let removed = self
                .root
                .resolve_entry(&path)
                .map(|place| unlinkat(place.folder(), place.name(), AtFlags::REMOVEDIR).is_ok());
            // Something else is in it by now, and it stays.
            if !removed.unwrap_or(false) {
                return;
            }
            folder = path.parent();
        }
    }
}
