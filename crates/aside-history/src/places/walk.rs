//! Looks through folders for logs, also through those that are links to elsewhere.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use super::{LogFile, Places, facts, log_stamp, open::NO_FILE};
use crate::Source;

/// Deeper folders hold no logs.
const DEEPEST: usize = 12;

/// Adds the logs of a program in a folder and below; `root` is the one from which their names are told.
pub fn walk(source: Source, root: &Path, folder: &Path, found: &mut Places) {
    let mut walk = Walk { source, root, visited: HashSet::new(), links: Vec::new(), found };
    let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let below = walk.below(folder);
    walk.folder(folder, &below, real, 0);
    // Last: what a folder has of its own goes by its own name.
    while let Some((path, depth)) = walk.links.pop() {
        walk.link(path, depth);
    }
}

struct Walk<'w> {
    source: Source,
    root: &'w Path,
    /// Folders as the system calls them: links may lead to one twice, or in circles.
    visited: HashSet<PathBuf>,
    links: Vec<(PathBuf, usize)>,
    found: &'w mut Places,
}

impl Walk<'_> {
    /// The name of something from the root.
    fn below(&self, path: &Path) -> PathBuf {
        path.strip_prefix(self.root).unwrap_or(path).to_owned()
    }

    fn folder(&mut self, folder: &Path, below: &Path, real: PathBuf, depth: usize) {
        if depth > DEEPEST {
            return self.unreadable(folder, format!("it is more than {DEEPEST} folders deep: nothing in it is read"));
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => return self.unreadable(folder, error.to_string()),
        };
        for entry in entries {
            let looked = entry.and_then(|entry| Ok((entry.file_type()?, entry)));
            match looked {
                Ok((kind, entry)) if kind.is_symlink() => self.links.push((entry.path(), depth + 1)),
                Ok((kind, entry)) if kind.is_dir() => {
                    let name = entry.file_name();
                    self.folder(&entry.path(), &below.join(&name), real.join(&name), depth + 1);
                }
                // By its name in the open folder: the system looks for no path.
                Ok((_, entry)) => self.file(entry.path(), &below.join(entry.file_name()), || entry.metadata()),
                Err(error) => self.unreadable(folder, error.to_string()),
            }
        }
        self.visited.insert(real);
    }

    fn link(&mut self, path: PathBuf, depth: usize) {
        let real = match fs::canonicalize(&path) {
            Ok(real) => real,
            // What it leads to is gone.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => return self.unreadable(&path, error.to_string()),
        };
        if real.is_dir() {
            if !self.visited.contains(&real) {
                let below = self.below(&path);
                self.folder(&path, &below, real, depth);
            }
        } else if !real.parent().is_some_and(|folder| self.visited.contains(folder)) {
            let metadata = fs::metadata(&path);
            let below = self.below(&path);
            self.file(path, &below, || metadata);
        }
    }

    fn file(&mut self, path: PathBuf, below: &Path, metadata: impl FnOnce() -> io::Result<fs::Metadata>) {
        let Some(facts) = facts(self.source, below) else { return };
        match metadata() {
            Ok(metadata) if !metadata.is_file() => self.unreadable(&path, NO_FILE.to_owned()),
            Ok(metadata) => {
                let (size, modified, inode) = log_stamp(self.source, &path, &metadata);
                self.found.files.push(LogFile { source: self.source, path, facts, size, modified, inode });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.unreadable(&path, error.to_string()),
        }
    }

    fn unreadable(&mut self, path: &Path, reason: String) {
        self.found.unreadable.push((path.to_owned(), reason));
    }
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
        assert!(found.unreadable[0].0 == deep && found.unreadable[0].1.contains("12 folders deep"), "{found:?}");
    }
}
