//! Hears from the system which logs were written to.

use std::path::{Path, PathBuf};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _, event::ModifyKind};

use crate::places::{Places, Roots};

/// Watches the folders of logs while it is there.
pub struct Watcher {
    watcher: RecommendedWatcher,
    roots: Roots,
    watched: Vec<PathBuf>,
    /// Folders that the system does not watch, and why: what is written there is not heard of.
    pub missed: Vec<(PathBuf, String)>,
}

/// Tells whether any program has a folder for logs.
pub fn has_logs(environment: impl Fn(&str) -> Option<String>) -> bool {
    let roots = Roots::of(environment);
    roots.folders().iter().any(|folder| folder.is_dir()) || roots.has_databases()
}

impl std::fmt::Debug for Watcher {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Watcher({:?})", self.watched)
    }
}

impl Watcher {
    /// Watches the folders that an environment leads to. `heard` is told of files that changed, on a thread of its own. The error says
    /// what the system says.
    pub fn new(
        environment: impl Fn(&str) -> Option<String>,
        heard: impl Fn(Vec<PathBuf>) + Send + 'static,
    ) -> Result<Self, String> {
        let told = move |event: notify::Result<Event>| {
            if let Ok(event) = event
                && is_change(event.kind)
            {
                heard(event.paths);
            }
        };
        let watcher = notify::recommended_watcher(told).map_err(|error| error.to_string())?;
        let roots = Roots::of(environment);
        let mut watcher = Self { watcher, roots, watched: Vec::new(), missed: Vec::new() };
        watcher.look_again();
        Ok(watcher)
    }

    /// Watches folders that came since the last time; returns whether there were any.
    pub fn look_again(&mut self) -> bool {
        let before = self.watched.len();
        // Databases lie beside much else: below their folders nothing is watched.
        let below = self.roots.folders().into_iter().map(|folder| (folder, RecursiveMode::Recursive));
        let beside = self.roots.database_folders().into_iter().map(|folder| (folder, RecursiveMode::NonRecursive));
        let watcher = &mut self.watcher;
        let watch = |folder: &Path, mode| watcher.watch(folder, mode).map_err(|error| error.to_string());
        self.missed = watch_new(below.chain(beside), &mut self.watched, watch);
        self.watched.len() > before
    }

    /// Tells whether some of these files are a database of a program, or what it keeps beside one.
    pub fn has_database(&self, paths: &[PathBuf]) -> bool {
        self.roots.has_database(paths)
    }

    /// Which of some files are logs.
    pub fn logs(&self, paths: &[PathBuf]) -> Places {
        self.roots.logs(paths)
    }
}

/// Watches those folders that are there and not watched yet; returns the others of them, and why.
fn watch_new(
    folders: impl Iterator<Item = (PathBuf, RecursiveMode)>,
    watched: &mut Vec<PathBuf>,
    mut watch: impl FnMut(&Path, RecursiveMode) -> Result<(), String>,
) -> Vec<(PathBuf, String)> {
    let mut missed = Vec::new();
    for (folder, mode) in folders {
        if watched.contains(&folder) || !folder.is_dir() {
            continue;
        }
        match watch(&folder, mode) {
            Ok(()) => watched.push(folder),
            Err(reason) => missed.push((folder, reason)),
        }
    }
    missed
}

fn is_change(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Create(_) | EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Name(_) | ModifyKind::Any)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_watched_keeps_no_other_from_being_watched() {
        let home = tempfile::tempdir().unwrap();
        let folders: Vec<PathBuf> = ["one", "two", "three"].map(|name| home.path().join(name)).into();
        folders[..2].iter().for_each(|folder| std::fs::DirBuilder::new().create(folder).unwrap());
        let mut watched = Vec::new();
        let mut look = |broken: bool| {
            let all = folders.iter().map(|folder| (folder.clone(), RecursiveMode::Recursive));
            let watch = |folder: &Path, _| if broken && folder.ends_with("one") { Err("no".into()) } else { Ok(()) };
            let missed = watch_new(all, &mut watched, watch);
            (missed, watched.clone())
        };
        let (one, two) = (folders[0].clone(), folders[1].clone());
        assert_eq!(look(true), (vec![(one.clone(), "no".to_owned())], vec![two.clone()]));
        assert_eq!(look(false), (vec![], vec![two, one]));
    }
}
