//! Files to which another program gave another name: what belongs to them goes along, as when Aside moves them.
//!
//! Seen are renames from one folder that is watched to another. A file that is moved to where nobody looks is gone.

use std::path::{Path, PathBuf};

use aside_core::WorkspacePath;

use crate::{Workspace, WorkspaceError, confined::is_hidden, record::DocumentRecord};

/// From where and to where something was moved; the earlier first.
pub(crate) type Renames = Vec<(PathBuf, PathBuf)>;

impl Workspace {
    /// Has documents, and what is kept beside them, follow what was renamed.
    pub(crate) fn take_along(&self, renames: Renames) {
        for (from, to) in in_one_step(renames) {
            let (Some(from), Some(to)) = (self.own_path(&from), self.own_path(&to)) else { continue };
            if let Err(error) = self.follow(&from, &to) {
                tracing::warn!(%error, "data of {from} was not moved to {to}");
            }
        }
    }

    fn follow(&self, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), WorkspaceError> {
        let _disk = self.disk();
        // Who writes a file anew may have put the old one aside, and who keeps a backup gives that another name.
        if self.is_there(from)? || !self.is_there(to)? || to.name().ends_with('~') {
            return Ok(());
        }
        self.carry_kept_labels(from, to)?;
        self.carry_problems(from, to)?;
        if DocumentRecord::within(&self.store, from)?.is_empty() {
            return Ok(());
        }
        // One that was there before takes in what its file holds now.
        if DocumentRecord::within(&self.store, to)?.is_empty() {
            self.carry_documents(from, to)?;
        }
        self.moved(from, to);
        Ok(())
    }

    fn is_there(&self, path: &WorkspacePath) -> Result<bool, WorkspaceError> {
        match self.root.resolve_entry(path).and_then(|place| place.entry()) {
            Ok(entry) => Ok(entry.is_some()),
            Err(WorkspaceError::NotFound(_) | WorkspaceError::NotFolder(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The path in the workspace, if it is one that people see.
    fn own_path(&self, path: &Path) -> Option<WorkspacePath> {
        let path = WorkspacePath::of_disk(path.strip_prefix(self.folder()).ok()?).ok()?;
        (!path.as_str().split('/').any(is_hidden)).then_some(path)
    }
}

/// What was moved on from where it had been moved to was moved once.
fn in_one_step(renames: Renames) -> Renames {
    let mut whole: Renames = Vec::new();
    for (from, to) in renames {
        match whole.iter_mut().find(|(_, place)| *place == from) {
            Some((_, place)) => *place = to,
            None => whole.push((from, to)),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_moves_of_one_file_are_one() {
        let renames = [("a", "b"), ("x", "y"), ("b", "c")].map(|(from, to)| (from.into(), to.into()));
        let whole: [(PathBuf, PathBuf); 2] = [("a", "c"), ("x", "y")].map(|(from, to)| (from.into(), to.into()));
        assert_eq!(in_one_step(renames.into()), whole);
    }
}
