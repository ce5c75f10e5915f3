//! Hears from the system which logs were written to.

use std::path::{Path, PathBuf};

use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{CreateKind, ModifyKind},
};

use crate::places::{Places, Roots};

/// What is heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// These files were written to.
    Written(Vec<PathBuf>),
    /// Something that they don't tell: files went, a folder came with what is in it, or news were lost.
    More,
}

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
    /// Watches the folders that an environment leads to. `heard` is told on a thread of its own. The error says what the system says.
    pub fn new(
        environment: impl Fn(&str) -> Option<String>,
        heard: impl Fn(Heard) + Send + 'static,
    ) -> Result<Self, String> {
        let roots = Roots::of(environment);
        let folders = roots.folders();
        let told = move |event: notify::Result<Event>| {
            told(event, &folders, Path::is_dir).into_iter().for_each(&heard);
        };
        let watcher = notify::recommended_watcher(told).map_err(|error| error.to_string())?;
        let mut watcher = Self { watcher, roots, watched: Vec::new(), missed: Vec::new() };
        watcher.look_again();
        Ok(watcher)
    }

    /// Watches folders that came since the last time.
    pub fn look_again(&mut self) {
        // Databases lie beside much else: below their folders nothing is watched.
        let below = self.roots.folders().into_iter().map(|folder| (folder, RecursiveMode::Recursive));
        let beside = self.roots.database_folders().into_iter().map(|folder| (folder, RecursiveMode::NonRecursive));
        let watcher = &mut self.watcher;
        let watch = |folder: &Path, mode| watcher.watch(folder, mode).map_err(|error| error.to_string());
        self.missed = watch_new(below.chain(beside), &mut self.watched, watch);
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

/// What an event tells. In the folders of databases, which are not these ones, much comes and goes that is none of ours.
fn told(event: notify::Result<Event>, folders: &[PathBuf], is_folder: impl Fn(&Path) -> bool) -> Option<Heard> {
    let Ok(event) = event else { return Some(Heard::More) };
    if event.need_rescan() {
        return Some(Heard::More);
    }
    let (came, went) = match event.kind {
        EventKind::Create(CreateKind::File) | EventKind::Modify(ModifyKind::Data(_)) => (false, false),
        EventKind::Create(_) => (true, false),
        EventKind::Modify(ModifyKind::Name(_) | ModifyKind::Any) => (true, true),
        EventKind::Remove(_) => (false, true),
        _ => return None,
    };
    let is_ours = event.paths.iter().any(|path| folders.iter().any(|folder| path.starts_with(folder)));
    let is_more = |path: &PathBuf| came && is_folder(path) || went && !path.exists();
    if is_ours && event.paths.iter().any(is_more) {
        return Some(Heard::More);
    }
    let is_gone = matches!(event.kind, EventKind::Remove(_));
    (!is_gone).then_some(Heard::Written(event.paths))
}

#[cfg(test)]
mod tests {
    use notify::event::{DataChange, Flag, RemoveKind, RenameMode};

    use super::*;

    #[test]
    fn what_goes_folders_that_come_and_lost_news_are_told_apart_from_what_is_written() {
        let folders = [PathBuf::from("/logs")];
        let heard = |kind, path: &str| {
            told(Ok(Event::new(kind).add_path(path.into())), &folders, |path| path.ends_with("folder"))
        };
        let written = |path: &str| Some(Heard::Written(vec![path.into()]));
        let (file, folder) = (EventKind::Create(CreateKind::File), EventKind::Create(CreateKind::Any));
        let data = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        let moved_in = EventKind::Modify(ModifyKind::Name(RenameMode::To));
        let moved_out = EventKind::Modify(ModifyKind::Name(RenameMode::From));
        let removed = EventKind::Remove(RemoveKind::File);
        assert_eq!([heard(file, "/logs/a"), heard(data, "/logs/a")], [written("/logs/a"), written("/logs/a")]);
        for (kind, path) in
            [(folder, "/logs/folder"), (moved_in, "/logs/folder"), (moved_out, "/logs/gone"), (removed, "/logs/gone")]
        {
            assert_eq!(heard(kind, path), Some(Heard::More), "{kind:?}");
        }
        assert_eq!([heard(removed, "/databases/gone"), heard(EventKind::Any, "/logs/a")], [None, None]);
        assert_eq!(heard(moved_out, "/databases/gone"), written("/databases/gone"));
        let lost = Event::new(EventKind::Other).set_flag(Flag::Rescan);
        assert_eq!(told(Ok(lost), &folders, |_| false), Some(Heard::More));
        assert_eq!(told(Err(notify::Error::generic("no")), &folders, |_| false), Some(Heard::More));
    }

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
