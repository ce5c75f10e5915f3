//! Goes through the workspace's files by descriptor, so that no link leads out.

use std::os::fd::{AsFd as _, BorrowedFd};

use aside_core::WorkspacePath;
use ignore::IncrementalIgnore;
use rustix::fs::{AtFlags, Dir, Stat, readlinkat, statat};

use crate::{
    EntryKind, WorkspaceError,
    confined::{entry, is_hidden},
    listing::ignore_rules,
    process::protect::{NOT_SEARCHED, is_protected},
    root::{Root, open_folder},
};

/// One thing on the way.
pub(super) struct Met<'a> {
    /// The folder it is in.
    pub folder: BorrowedFd<'a>,
    pub name: &'a str,
    pub path: WorkspacePath,
    pub kind: EntryKind,
    pub stat: Stat,
    /// Where it leads, for a link.
    pub target: Option<String>,
}

/// Goes through all that a snapshot covers. Returns what it does not cover: folders that git ignores, those with other
/// people's programs, git's own history, names that are no text.
pub(super) fn walk(
    root: &Root,
    visit: &mut dyn FnMut(Met<'_>) -> Result<(), WorkspaceError>,
) -> Result<Vec<WorkspacePath>, WorkspaceError> {
    let mut walk = Walk { root, rules: ignore_rules(root), visit, left_out: Vec::new() };
    walk.folder(root.descriptor(), None, Covers::Everything)?;
    Ok(walk.left_out)
}

/// What of a folder is covered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Covers {
    Everything,
    /// Only what is protected: inside git's own folder.
    Protected,
}

struct Walk<'a> {
    root: &'a Root,
    rules: IncrementalIgnore,
    visit: &'a mut dyn FnMut(Met<'_>) -> Result<(), WorkspaceError>,
    left_out: Vec<WorkspacePath>,
}

impl Walk<'_> {
    fn folder(
        &mut self,
        folder: BorrowedFd<'_>,
        above: Option<&WorkspacePath>,
        covers: Covers,
    ) -> Result<(), WorkspaceError> {
        // Gone or closed to us since it was met.
        let Ok(items) = Dir::read_from(folder) else { return Ok(()) };
        for item in items.flatten() {
            let Some(name) = item.file_name().to_str().ok().filter(|name| *name != "." && *name != "..") else {
                continue;
            };
            let Some(path) = below(above, name).filter(|path| !is_hidden(name) && !self.root.is_own(path)) else {
                continue;
            };
            let Ok(stat) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            self.meet(folder, name, path, stat, covers)?;
        }
        Ok(())
    }

    fn meet(
        &mut self,
        folder: BorrowedFd<'_>,
        name: &str,
        path: WorkspacePath,
        stat: Stat,
        covers: Covers,
    ) -> Result<(), WorkspaceError> {
        let kind = entry(&stat).kind;
        if kind == EntryKind::Special || (covers == Covers::Protected && !leads_to_power(kind, &path)) {
            return Ok(());
        }
        let target = match kind {
            EntryKind::Link => match readlinkat(folder, name, Vec::new()).ok().and_then(|to| to.into_string().ok()) {
                Some(target) => Some(target),
                None => return Ok(()),
            },
            _ => None,
        };
        let inside = (kind == EntryKind::Folder).then(|| self.covers(name, &path, covers)).flatten();
        if kind == EntryKind::Folder && inside != Some(Covers::Everything) {
            // What is in a folder that is left out is said with it.
            if covers == Covers::Everything {
                self.left_out.push(path.clone());
            }
        } else {
            (self.visit)(Met { folder, name, path: path.clone(), kind, stat, target })?;
        }
        match (inside, open_folder(folder, name)) {
            (Some(covers), Ok(opened)) => self.folder(opened.as_fd(), Some(&path), covers),
            _ => Ok(()),
        }
    }

    /// What of a folder is covered; none if nothing is.
    fn covers(&mut self, name: &str, path: &WorkspacePath, above: Covers) -> Option<Covers> {
        if above == Covers::Protected || name == ".git" {
            Some(Covers::Protected)
        } else if NOT_SEARCHED.contains(&name) || self.rules.matched(path.as_str(), true).is_ignore() {
            None
        } else {
            Some(Covers::Everything)
        }
    }
}

/// In git's own folder: what is protected, and the folders in which that can be.
fn leads_to_power(kind: EntryKind, path: &WorkspacePath) -> bool {
    let history = ["objects", "refs", "logs", "lfs", "rr-cache"];
    match kind {
        EntryKind::Folder => !history.contains(&path.name()),
        _ => is_protected(path.as_str()),
    }
}

fn below(above: Option<&WorkspacePath>, name: &str) -> Option<WorkspacePath> {
    match above {
        Some(above) => WorkspacePath::new(&format!("{above}/{name}")).ok(),
        None => WorkspacePath::new(name).ok(),
    }
}
