//! Goes through the workspace's files by descriptor, so that no link leads out.

use std::os::fd::{AsFd as _, BorrowedFd};

use aside_core::WorkspacePath;
use ignore::IncrementalIgnore;
use rustix::fs::{AtFlags, Dir, FileType, Stat, readlinkat, statat};

use crate::{
    EntryKind, WorkspaceError,
    confined::{entry, is_hidden},
    listing::ignore_rules,
    process::protect::{GitPart, NOT_SEARCHED, git_part, governs, is_protected},
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

/// Entries of ignored folders that are looked at for what is protected. What is protected in a folder that is not ignored
/// is always found.
const MOST_IGNORED: usize = 50_000;

/// Goes through all that a snapshot covers. Returns what it does not cover: folders that git ignores, but for what is
/// protected in them, those with other people's programs, git's own history, names that are no text.
pub(super) fn walk(
    root: &Root,
    visit: &mut dyn FnMut(Met<'_>) -> Result<(), WorkspaceError>,
) -> Result<Vec<WorkspacePath>, WorkspaceError> {
    let mut walk = Walk { root, rules: ignore_rules(root), visit, left_out: Vec::new(), ignored: MOST_IGNORED };
    walk.folder(root.descriptor(), None, Covers::Everything)?;
    Ok(walk.left_out)
}

/// What of a folder is covered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Covers {
    Everything,
    /// Of git's own folder only what is protected.
    Git,
    /// Of a folder that git ignores only what is protected.
    Ignored,
}

struct Walk<'a> {
    root: &'a Root,
    rules: IncrementalIgnore,
    visit: &'a mut dyn FnMut(Met<'_>) -> Result<(), WorkspaceError>,
    left_out: Vec<WorkspacePath>,
    /// Entries of ignored folders that may still be looked at.
    ignored: usize,
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
            if covers == Covers::Ignored && !self.may_matter(name, item.file_type()) {
                continue;
            }
            let Some(path) = below(above, name).filter(|path| !is_hidden(name) && !self.root.is_own(path)) else {
                continue;
            };
            let Ok(stat) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            self.meet(folder, name, path, stat, covers)?;
        }
        Ok(())
    }

    /// Tells whether something in an ignored folder has to be looked at: they can be large.
    fn may_matter(&mut self, name: &str, kind: FileType) -> bool {
        self.ignored = self.ignored.saturating_sub(1);
        let may_be_folder = matches!(kind, FileType::Directory | FileType::Unknown);
        self.ignored > 0 && (may_be_folder || is_protected(name))
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
        if kind == EntryKind::Special || (covers != Covers::Everything && !leads_to_power(kind, &path)) {
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
        if above == Covers::Git || name == ".git" {
            Some(Covers::Git)
        } else if NOT_SEARCHED.contains(&name) {
            None
        } else if governs(path.as_str()) {
            Some(Covers::Everything)
        } else if above == Covers::Ignored || self.rules.matched(path.as_str(), true).is_ignore() {
            Some(Covers::Ignored)
        } else {
            Some(Covers::Everything)
        }
    }
}

/// Where only what is protected is covered: that, and the folders in which it can be.
fn leads_to_power(kind: EntryKind, path: &WorkspacePath) -> bool {
    match kind {
        EntryKind::Folder => git_part(path.as_str()) != Some(GitPart::History),
        _ => is_protected(path.as_str()),
    }
}

fn below(above: Option<&WorkspacePath>, name: &str) -> Option<WorkspacePath> {
    match above {
        Some(above) => WorkspacePath::new(&format!("{above}/{name}")).ok(),
        None => WorkspacePath::new(name).ok(),
    }
}
