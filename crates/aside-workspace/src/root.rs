//! The workspace's folder as a descriptor, and the one way from a path to a place below it.
//!
//! Every path is walked part by part from the folder's descriptor, and no part is opened through a
//! symbolic link: links are read, checked and walked by hand. So a link that is swapped in between
//! check and use makes the walk fail instead of leading out, and the *resolved* path is known, which
//! is what rules must look at. (`openat2` with `RESOLVE_BENEATH` would confine as well, but tells
//! nobody where it arrived and refuses absolute links that stay inside.)

use std::{
    collections::VecDeque,
    ffi::{OsStr, OsString},
    io,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::ffi::{OsStrExt as _, OsStringExt as _},
    },
    path::{Component, Path, PathBuf},
    sync::OnceLock,
};

use aside_core::WorkspacePath;
use rustix::{
    fs::{AtFlags, CWD, Mode, OFlags, openat, readlinkat, statat},
    io::Errno,
};

use crate::{WorkspaceError, confined::ConfinedPath};

/// Aside's own folder; at any depth, since a folder inside may be a workspace too.
pub const PRIVATE_FOLDER: &str = ".aside";

/// As many links as Linux itself follows.
const MOST_LINKS: u32 = 40;

/// The workspace's folder, opened once.
#[derive(Debug)]
pub(crate) struct Root {
    folder: PathBuf,
    descriptor: OwnedFd,
    /// Aside's own data for the person, if their folder is what is open.
    own: OnceLock<WorkspacePath>,
}

impl Root {
    /// Opens the folder.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        let descriptor = openat(CWD, &folder, FOLDER, Mode::empty())?;
        Ok(Self { folder, descriptor, own: OnceLock::new() })
    }

    /// The folder's absolute path without links.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Names a folder that is Aside's own, wherever it is: what changes there while a command runs is not the command's.
    pub fn set_own(&self, folder: &Path) {
        let inside = folder
            .canonicalize()
            .ok()
            .and_then(|folder| WorkspacePath::of_disk(folder.strip_prefix(&self.folder).ok()?).ok());
        if let Some(inside) = inside {
            // The first one stays.
            let _ = self.own.set(inside);
        }
    }

    /// Returns that folder.
    pub fn own(&self) -> Option<&WorkspacePath> {
        self.own.get()
    }

    /// Tells whether it is that folder.
    pub fn is_own(&self, path: &WorkspacePath) -> bool {
        self.own.get() == Some(path)
    }

    /// Tells whether a path lies in that folder.
    pub fn is_in_own(&self, path: &WorkspacePath) -> bool {
        self.own.get().is_some_and(|own| path.is_within(own))
    }

    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }

    /// Returns the file or folder that a path means, following links that stay inside.
    ///
    /// The last part need not exist; the folder it would be in must.
    pub fn resolve(&self, path: &WorkspacePath) -> Result<ConfinedPath, WorkspaceError> {
        Walk::new(self, path, Last::Follow).run()
    }

    /// Returns a path as it is on the disk: without its escapes, unless only a file with these as its name is there.
    pub fn name_on_disk(&self, path: &WorkspacePath) -> PathBuf {
        name_on_disk(self.descriptor(), path.as_str()).into()
    }

    /// Returns the absolute path on the disk of a path that has no links on its way.
    pub fn place_of(&self, real: &WorkspacePath) -> PathBuf {
        self.folder.join(self.name_on_disk(real))
    }

    /// Returns the entry itself, even if it is a link: what is moved or deleted.
    pub fn resolve_entry(&self, path: &WorkspacePath) -> Result<ConfinedPath, WorkspaceError> {
        Walk::new(self, path, Last::Keep).run()
    }
}

/// How folders are opened on the way: never through a link.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

pub(crate) fn open_folder(below: BorrowedFd<'_>, name: &OsStr) -> Result<OwnedFd, Errno> {
    openat(below, name, FOLDER, Mode::empty())
}

/// Returns the name, below a folder, of something that is called by this text. Of something that is not there it is the name
/// without escapes.
fn name_on_disk(folder: BorrowedFd<'_>, text: &str) -> OsString {
    if !text.contains('\\') {
        return text.into();
    }
    let is_there = |name: &OsStr| statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok();
    let plain = WorkspacePath::new(text).ok().filter(WorkspacePath::has_escapes).map(|path| path.on_disk());
    match plain.filter(|plain| !plain.as_bytes().contains(&0)) {
        Some(plain) if is_there(&plain) || !is_there(text.as_ref()) => plain,
        _ => text.into(),
    }
}

/// Whether a link in the last part is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Follow,
    Keep,
}

/// A part of a path that is still to be walked.
enum Ahead {
    /// As it was asked for: it may have escapes.
    Asked(String),
    /// As a link has it, which leads to the name that it says.
    Named(OsString),
    Up,
}

struct Walk<'a> {
    root: &'a Root,
    asked: &'a WorkspacePath,
    last: Last,
    /// What is still to be walked.
    ahead: VecDeque<Ahead>,
    /// The folders walked into, with their names.
    behind: Vec<(OsString, OwnedFd)>,
    links: u32,
}

impl<'a> Walk<'a> {
    fn new(root: &'a Root, asked: &'a WorkspacePath, last: Last) -> Self {
        let ahead = asked.as_str().split('/').map(|part| Ahead::Asked(part.to_owned())).collect();
        Self { root, asked, last, ahead, behind: Vec::new(), links: 0 }
    }

    fn run(mut self) -> Result<ConfinedPath, WorkspaceError> {
        while let Some(part) = self.ahead.pop_front() {
            let part = match part {
                Ahead::Up => {
                    self.behind.pop().ok_or_else(|| self.outside("it goes above the workspace's folder"))?;
                    continue;
                }
                Ahead::Asked(part) => name_on_disk(self.here(), &part),
                Ahead::Named(part) => part,
            };
            if is_private(&part) {
                return Err(WorkspaceError::Private(self.asked.clone()));
            }
            let is_last = self.ahead.is_empty();
            match readlinkat(self.here(), &part, Vec::new()) {
                Ok(_) if is_last && self.last == Last::Keep => return self.arrive(part),
                Ok(target) => self.follow(OsString::from_vec(target.into_bytes()).as_ref())?,
                Err(Errno::INVAL) | Err(Errno::NOENT) if is_last => return self.arrive(part),
                Err(Errno::INVAL) => self.enter(part)?,
                Err(errno) => return Err(self.io(errno)),
            }
        }
        // A link such as `here -> .` ends at a folder that was already entered.
        match self.behind.pop() {
            Some((name, _)) => self.arrive(name),
            None => Err(self.outside("it is the workspace folder itself")),
        }
    }

    fn here(&self) -> BorrowedFd<'_> {
        self.behind.last().map_or(self.root.descriptor.as_fd(), |(_, folder)| folder.as_fd())
    }

    fn enter(&mut self, part: OsString) -> Result<(), WorkspaceError> {
        match open_folder(self.here(), &part) {
            Ok(folder) => self.behind.push((part, folder)),
            Err(Errno::NOTDIR) => return Err(WorkspaceError::NotFound(self.asked.clone())),
            // Not a link a moment ago: somebody is swapping it.
            Err(Errno::LOOP) => return Err(self.outside(&format!("`{}` was replaced by a link", part.display()))),
            Err(errno) => return Err(self.io(errno)),
        }
        Ok(())
    }

    fn follow(&mut self, target: &Path) -> Result<(), WorkspaceError> {
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(self.outside("its links form a loop"));
        }
        let relative = if target.is_absolute() {
            self.behind.clear();
            let inside = target.strip_prefix(&self.root.folder);
            inside.map_err(|_| self.outside(&format!("a link points to `{}`", target.display())))?
        } else {
            target
        };
        for part in relative.components().rev() {
            match part {
                Component::ParentDir => self.ahead.push_front(Ahead::Up),
                Component::Normal(name) => self.ahead.push_front(Ahead::Named(name.to_owned())),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        Ok(())
    }

    fn arrive(self, name: OsString) -> Result<ConfinedPath, WorkspaceError> {
        let whole: PathBuf = self.behind.iter().map(|(part, _)| part).chain([&name]).collect();
        let real = WorkspacePath::of_disk(whole).map_err(|error| self.outside(error.reason))?;
        let folder = match self.behind.last() {
            Some((_, folder)) => folder.try_clone(),
            None => self.root.descriptor.try_clone(),
        };
        let folder = folder.map_err(|error| WorkspaceError::io("open", self.asked, error))?;
        Ok(ConfinedPath::new(folder, name, real))
    }

    fn outside(&self, reason: &str) -> WorkspaceError {
        WorkspaceError::Outside { path: self.asked.clone(), reason: reason.to_owned() }
    }

    fn io(&self, errno: Errno) -> WorkspaceError {
        match errno {
            Errno::NOTDIR => WorkspaceError::NotFound(self.asked.clone()),
            errno => WorkspaceError::io("open", self.asked, errno),
        }
    }
}

/// Tells whether a name is Aside's own folder, also where the disk does not tell case apart.
pub(crate) fn is_private(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case(PRIVATE_FOLDER)
}

#[cfg(test)]
mod tests;
