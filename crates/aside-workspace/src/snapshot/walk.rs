//! Goes through the workspace's files by descriptor, so that no link leads out.

use std::{
    ffi::OsStr,
    os::{
        fd::{AsFd as _, BorrowedFd},
        unix::ffi::OsStrExt as _,
    },
};

use aside_core::WorkspacePath;
use ignore::IncrementalIgnore;
use rustix::{
    fs::{AtFlags, Dir, FileType, Stat, readlinkat, statat},
    io::Errno,
};

use crate::{
    EntryKind, WorkspaceError,
    confined::{entry, is_hidden},
    listing::{child, ignore_rules},
    process::protect::{GitPart, NOT_SEARCHED, git_part, governs, is_protected},
    root::{Root, open_folder},
};

/// One thing on the way.
pub(super) struct Met<'a> {
    /// The folder it is in.
    pub folder: BorrowedFd<'a>,
    pub name: &'a OsStr,
    pub path: WorkspacePath,
    pub kind: EntryKind,
    pub stat: Stat,
    /// Where it leads, for a link.
    pub target: Option<String>,
}

/// Entries of ignored folders that are looked at for what is protected. What is protected in a folder that is not ignored
/// is always found.
const MOST_IGNORED: usize = 50_000;

/// Goes through all that a snapshot covers. Returns the folders that it does not cover, or not all of which: those that git
/// ignores, but for what is protected in them, those with other people's programs, git's own history, those that can't be read or hold
/// something that lies too deep for a path. Named with them are pipes, devices, and links whose target is not UTF-8.
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
        let items = match Dir::read_from(folder) {
            Ok(items) => items,
            Err(errno) => {
                self.closed(above, errno, covers);
                return Ok(());
            }
        };
        for item in items.flatten() {
            let name = OsStr::from_bytes(item.file_name().to_bytes());
            if matches!(name.as_bytes(), b"." | b"..") || is_hidden(name) {
                continue;
            }
            if covers == Covers::Ignored && !self.may_matter(name, item.file_type()) {
                continue;
            }
            let Some(path) = child(above, name) else {
                self.leave_out(above, covers);
                continue;
            };
            if self.root.is_own(&path) {
                continue;
            }
            let Ok(stat) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            self.meet(folder, name, path, stat, covers)?;
        }
        Ok(())
    }

    /// Names a folder that could not be read, unless it is gone since it was met.
    fn closed(&mut self, folder: Option<&WorkspacePath>, errno: Errno, covers: Covers) {
        if !matches!(errno, Errno::NOENT | Errno::NOTDIR | Errno::LOOP) {
            self.leave_out(folder, covers);
        }
    }

    /// Names a place, or the folder with something that can't be named.
    fn leave_out(&mut self, place: Option<&WorkspacePath>, covers: Covers) {
        if covers == Covers::Everything
            && let Some(place) = place
            && self.left_out.last() != Some(place)
        {
            self.left_out.push(place.clone());
        }
    }

    /// Tells whether something in an ignored folder has to be looked at: they can be large.
    fn may_matter(&mut self, name: &OsStr, kind: FileType) -> bool {
        self.ignored = self.ignored.saturating_sub(1);
        let may_be_folder = matches!(kind, FileType::Directory | FileType::Unknown);
        self.ignored > 0 && (may_be_folder || name.to_str().is_some_and(is_protected))
    }

    fn meet(
        &mut self,
        folder: BorrowedFd<'_>,
        name: &OsStr,
        path: WorkspacePath,
        stat: Stat,
        covers: Covers,
    ) -> Result<(), WorkspaceError> {
        let kind = entry(&stat).kind;
        if covers != Covers::Everything && !leads_to_power(kind, &path) {
            return Ok(());
        }
        let target = match kind {
            EntryKind::Link => readlinkat(folder, name, Vec::new()).ok().and_then(|to| to.into_string().ok()),
            _ => None,
        };
        if kind == EntryKind::Special || (kind == EntryKind::Link && target.is_none()) {
            // A socket is nothing without the program that made it.
            if FileType::from_raw_mode(stat.st_mode) != FileType::Socket {
                self.leave_out(Some(&path), covers);
            }
            return Ok(());
        }
        let inside = (kind == EntryKind::Folder).then(|| self.covers(name, &path, covers)).flatten();
        if kind == EntryKind::Folder && inside != Some(Covers::Everything) {
            // What is in a folder that is left out is said with it.
            self.leave_out(Some(&path), covers);
        } else {
            (self.visit)(Met { folder, name, path: path.clone(), kind, stat, target })?;
        }
        match (inside, open_folder(folder, name)) {
            (Some(covers), Ok(opened)) => self.folder(opened.as_fd(), Some(&path), covers),
            (Some(covers), Err(errno)) => {
                self.closed(Some(&path), errno, covers);
                Ok(())
            }
            (None, _) => Ok(()),
        }
    }

    /// What of a folder is covered; none if nothing is.
    fn covers(&mut self, name: &OsStr, path: &WorkspacePath, above: Covers) -> Option<Covers> {
        if above == Covers::Git || name == ".git" {
            Some(Covers::Git)
        } else if name.to_str().is_some_and(|name| NOT_SEARCHED.contains(&name)) {
            None
        } else if governs(path.as_str()) {
            Some(Covers::Everything)
        } else if above == Covers::Ignored || self.rules.matched(path.on_disk(), true).is_ignore() {
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
