//! Looks through folders for logs, also through those that are links to elsewhere.

use std::{
    collections::HashSet,
    ffi::{CStr, OsStr},
    fs, io,
    os::unix::ffi::OsStrExt as _,
    panic::resume_unwind,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use rustix::{
    fd::BorrowedFd,
    fs::{AtFlags, CWD, Dir, DirEntry, FileType, Mode, OFlags, openat, statat},
};

use super::{LogFile, Places, facts, holds_logs, log_stamp, open::NO_FILE, skipped::Skips, stamp, stamp_at};
use crate::Source;

/// Deeper folders hold no logs.
const DEEPEST: usize = 12;
/// So many folders that are still to be looked through are shared by threads.
const MANY: usize = 8;
/// Threads that look: it is the system that takes the time, and more would wait for each other there.
const MOST_THREADS: usize = 4;

/// Adds the logs of a program in a folder and below; `root` is the one from which their names are told.
pub fn walk(source: Source, root: &Path, folder: &Path, found: &mut Places) {
    let mut walk = Walk::new(source, root);
    walk.all(Folder { real: fs::canonicalize(folder).ok(), path: folder.to_owned(), depth: 0 });
    // Last: what a folder has of its own goes by its own name.
    let mut visited = HashSet::new();
    while let Some((path, depth)) = walk.links.pop() {
        visited.extend(walk.visited.drain(..));
        walk.link(path, depth, &visited);
    }
    found.files.append(&mut walk.files);
    found.unreadable.append(&mut walk.unreadable);
    found.skipped.extend(walk.skips.named(source.name()));
}

/// A folder to be looked through.
struct Folder {
    path: PathBuf,
    /// As the system calls it, where that is something else.
    real: Option<PathBuf>,
    depth: usize,
}

struct Walk<'w> {
    source: Source,
    root: &'w Path,
    /// Folders as the system calls them: links may lead to one twice, or in circles.
    visited: Vec<PathBuf>,
    links: Vec<(PathBuf, usize)>,
    files: Vec<LogFile>,
    unreadable: Vec<(PathBuf, String)>,
    /// Files that look like logs and are not read.
    skips: Skips,
}

impl<'w> Walk<'w> {
    fn new(source: Source, root: &'w Path) -> Self {
        let (visited, links, files, unreadable, skips) = Default::default();
        Self { source, root, visited, links, files, unreadable, skips }
    }

    /// Looks through a folder and all below.
    fn all(&mut self, folder: Folder) {
        let mut left = vec![folder];
        while left.len() < MANY
            && let Some(folder) = left.pop()
        {
            left.extend(self.look(None, folder).map(|(_, below)| below).unwrap_or_default());
            if left.is_empty() {
                return;
            }
        }
        let next = AtomicUsize::new(0);
        let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let (left, next, source, root) = (&left, &next, self.source, self.root);
        let look = || {
            let mut part = Walk::new(source, root);
            while let Some(folder) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                part.below(None, Folder { path: folder.path.clone(), real: folder.real.clone(), depth: folder.depth });
            }
            part
        };
        let parts: Vec<Walk> = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(look)).collect();
            let own = look();
            let done =
                |other: thread::ScopedJoinHandle<'_, _>| other.join().unwrap_or_else(|panic| resume_unwind(panic));
            others.into_iter().map(done).chain([own]).collect()
        });
        for part in parts {
            self.visited.extend(part.visited);
            self.links.extend(part.links);
            self.files.extend(part.files);
            self.unreadable.extend(part.unreadable);
            self.skips.add(part.skips);
        }
    }

    fn below(&mut self, parent: Option<BorrowedFd<'_>>, folder: Folder) {
        let Some((dir, below)) = self.look(parent, folder) else { return };
        for folder in below {
            self.below(dir.fd().ok(), folder);
        }
    }

    /// Looks through a folder; returns it open, and those in it. The system finds it sooner by its name in an open `parent` than by its path.
    fn look(&mut self, parent: Option<BorrowedFd<'_>>, folder: Folder) -> Option<(Dir, Vec<Folder>)> {
        let Folder { path, real, depth } = folder;
        if depth > DEEPEST {
            self.unreadable(&path, format!("this folder is not read: it is more than {DEEPEST} levels deep"));
            return None;
        }
        let (parent, name) = match parent.zip(path.file_name()) {
            Some(known) => known,
            None => (CWD, path.as_os_str()),
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = openat(parent, name, flags, Mode::empty()).and_then(Dir::new).map_err(io::Error::from);
        let mut dir = match opened {
            Ok(dir) => dir,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                self.unreadable(&path, error.to_string());
                return None;
            }
        };
        let mut below = Vec::new();
        while let Some(entry) = dir.read() {
            let looked = entry.and_then(|entry| Ok((kind(dir.fd()?, &entry)?, entry)));
            match looked {
                Ok((_, entry)) if matches!(entry.file_name().to_bytes(), b"." | b"..") => {}
                Ok((FileType::Symlink, entry)) => self.links.push((path.join(name_of(&entry)), depth + 1)),
                Ok((FileType::Directory, entry)) => {
                    let name = name_of(&entry);
                    if !holds_logs(self.source, self::below(self.root, &path.join(name))) {
                        continue;
                    }
                    let real = real.as_ref().map(|real| real.join(name));
                    below.push(Folder { path: path.join(name), real, depth: depth + 1 });
                }
                Ok((_, entry)) => self.entry(dir.fd().ok(), &path, entry.file_name()),
                Err(error) => self.unreadable(&path, io::Error::from(error).to_string()),
            }
        }
        self.visited.push(real.unwrap_or(path));
        Some((dir, below))
    }

    fn link(&mut self, path: PathBuf, depth: usize, visited: &HashSet<PathBuf>) {
        let real = match fs::canonicalize(&path) {
            Ok(real) => real,
            // What it leads to is gone.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => return self.unreadable(&path, error.to_string()),
        };
        if real.is_dir() {
            if !visited.contains(&real) {
                self.all(Folder { path, real: Some(real), depth });
            }
        } else if !real.parent().is_some_and(|folder| visited.contains(folder)) {
            let looked = fs::metadata(&path).map(|metadata| (metadata.is_file(), stamp(&metadata)));
            self.file(path, || looked);
        }
    }

    /// Something in an open folder that is no folder.
    fn entry(&mut self, folder: Option<BorrowedFd<'_>>, path: &Path, name: &CStr) {
        let Some(folder) = folder else { return };
        self.file(path.join(OsStr::from_bytes(name.to_bytes())), || {
            let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
            Ok((FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile, stamp_at(&stat)))
        });
    }

    /// Takes what is called as a log is, if it is a file.
    fn file(&mut self, path: PathBuf, look: impl FnOnce() -> io::Result<(bool, (u64, i64, u64))>) {
        let Some(facts) = facts(self.source, below(self.root, &path)) else {
            return self.skips.look(self.source, below(self.root, &path), &path);
        };
        match look() {
            Ok((false, _)) => self.unreadable(&path, NO_FILE.to_owned()),
            Ok((true, stamp)) => {
                let (size, modified, inode) = log_stamp(self.source, &path, stamp);
                self.files.push(LogFile { source: self.source, path, facts, size, modified, inode });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.unreadable(&path, error.to_string()),
        }
    }

    fn unreadable(&mut self, path: &Path, reason: String) {
        self.unreadable.push((path.to_owned(), reason));
    }
}

/// What something in a folder is. Some file systems don't say it with its name.
fn kind(folder: BorrowedFd<'_>, entry: &DirEntry) -> rustix::io::Result<FileType> {
    match entry.file_type() {
        FileType::Unknown => {
            let stat = statat(folder, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)?;
            Ok(FileType::from_raw_mode(stat.st_mode))
        }
        kind => Ok(kind),
    }
}

/// The name of something from a folder. It is told of each file, so that it is told by bytes.
fn below<'p>(folder: &Path, path: &'p Path) -> &'p Path {
    let rest = path.as_os_str().as_bytes().strip_prefix(folder.as_os_str().as_bytes());
    rest.and_then(|rest| rest.strip_prefix(b"/")).map_or(path, |rest| Path::new(OsStr::from_bytes(rest)))
}

fn name_of(entry: &DirEntry) -> &Path {
    Path::new(OsStr::from_bytes(entry.file_name().to_bytes()))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "makes logs and links to them")]
    fn links_are_followed_and_each_log_is_found_once() {
        let home = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(home.path()).unwrap().join("projects");
        let elsewhere = fs::canonicalize(home.path()).unwrap().join("disk");
        for folder in [root.join("-w"), elsewhere.join("-v")] {
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("s.jsonl"), "{}").unwrap();
        }
        fs::write(elsewhere.join("alone.jsonl"), "{}").unwrap();
        symlink(elsewhere.join("-v"), root.join("-v")).unwrap();
        symlink(elsewhere.join("-v"), root.join("-z")).unwrap();
        symlink(elsewhere.join("alone.jsonl"), root.join("-w/alone.jsonl")).unwrap();
        symlink(root.join("-w/s.jsonl"), root.join("-w/again.jsonl")).unwrap();
        // In circles, and to nowhere.
        symlink(&root, elsewhere.join("-v/up")).unwrap();
        symlink(elsewhere.join("none"), root.join("-none")).unwrap();
        let deep = root.join("d").join(["d"; DEEPEST].join("/"));
        fs::create_dir_all(&deep).unwrap();
        let mut found = Places::default();
        walk(Source::Claude, &root, &root, &mut found);
        let names = found.files.iter().map(|log| log.path.strip_prefix(&root).unwrap().display().to_string());
        let (mut own, linked): (Vec<String>, Vec<String>) = names.partition(|name| name.starts_with("-w"));
        own.sort();
        assert_eq!(own, ["-w/alone.jsonl", "-w/s.jsonl"]);
        // By one of two links to one folder.
        assert!(matches!(&linked[..], [one] if one.ends_with("/s.jsonl")), "{linked:?}");
        assert_eq!(found.unreadable.len(), 1);
        assert!(found.unreadable[0].0 == deep && found.unreadable[0].1.contains("12 levels deep"), "{found:?}");
    }
}
