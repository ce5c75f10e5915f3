//! What was written since a command began, by the stamps of the file system alone: for labels, where there is no copy to
//! compare with. Too much rather than too little: what other programs wrote meanwhile counts as well.

use std::collections::HashSet;

use aside_core::WorkspacePath;

use super::{
    take::Stamp,
    walk::{Met, walk},
};
use crate::{EntryKind, Workspace, WorkspaceError};

/// When a command began, and which folders were there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since {
    /// By the clock of the file system: seconds and nanoseconds.
    pub(super) begun: (i64, i64),
    /// Device and inode of each; none if the server was killed since.
    pub(super) folders: Option<HashSet<(u64, u64)>>,
}

impl Since {
    /// Remembers a folder that is there when the command begins.
    pub(super) fn was_there(&mut self, met: &Met<'_>) {
        if let (EntryKind::Folder, Some(folders)) = (met.kind, &mut self.folders) {
            folders.insert(Stamp::of(&met.stat).place);
        }
    }

    /// What is in a folder that was moved here has the stamps it had.
    fn is_new_folder(&self, met: &Met<'_>) -> bool {
        let was_there = |folders: &HashSet<(u64, u64)>| folders.contains(&Stamp::of(&met.stat).place);
        met.kind == EntryKind::Folder && !self.folders.as_ref().is_none_or(was_there)
    }

    fn is_written(&self, met: &Met<'_>) -> bool {
        met.kind != EntryKind::Folder && Stamp::of(&met.stat).changed >= self.begun
    }
}

impl Workspace {
    /// Returns what was written, linked or moved here since: files and links, and folders for all that is in them. What
    /// was deleted can't be told, nor what was done in folders that no snapshot covers.
    pub fn touched_since(&self, since: &Since) -> Result<Vec<WorkspacePath>, WorkspaceError> {
        let (mut touched, mut new): (Vec<WorkspacePath>, Option<WorkspacePath>) = (Vec::new(), None);
        walk(&self.root, &mut |met| {
            let within = new.as_ref().is_some_and(|folder| met.path.is_within(folder));
            let is_new = since.is_new_folder(&met);
            if !within && (is_new || since.is_written(&met)) {
                touched.push(met.path.clone());
                new = is_new.then_some(met.path).or(new.take());
            }
            Ok(())
        })?;
        Ok(touched)
    }
}
