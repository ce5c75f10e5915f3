//! Hears from the system what changes in the folders somebody looks at: those that were listed and
//! those with open documents. Never the whole tree, which may be huge.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, mpsc},
};

use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode, ModifyKind, RenameMode},
};

use crate::keeper::Errand;

/// One change on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DiskChange {
    /// The absolute path.
    pub path: PathBuf,
    /// Something came, went or was renamed, so that a listing is out of date.
    pub structure: bool,
    /// The path that it had, if it is known to be what was there.
    pub from: Option<PathBuf>,
}

/// What is watched, and which files are shown as they are on the disk.
pub(crate) struct Watcher {
    /// The system's; none where the system has no more to give.
    system: Mutex<Option<RecommendedWatcher>>,
    /// By their absolute paths, without links.
    followed: Mutex<BTreeSet<PathBuf>>,
}

impl Watcher {
    pub fn new(errands: mpsc::Sender<Errand>) -> Self {
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            // The keeper has ended only when the workspace has.
            let _ = event.map(|event| errands.send(Errand::Disk(changes(&event))));
        });
        if let Err(error) = &watcher {
            tracing::warn!(%error, "changes on disk are noticed late: file watching is not available");
        }
        Self { system: Mutex::new(watcher.ok()), followed: Mutex::default() }
    }

    /// Watches one folder, not what is below it. Watching again does no harm.
    pub fn watch(&self, folder: &Path) {
        let mut watcher = self.system.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(watcher) = watcher.as_mut() else { return };
        if let Err(error) = watcher.watch(folder, RecursiveMode::NonRecursive) {
            tracing::debug!(folder = %folder.display(), %error, "the folder is not watched");
        }
    }

    /// Remembers that a file is shown as it is, which no document follows. Its folder has to be watched.
    pub fn follow(&self, file: PathBuf) {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner).insert(file);
    }

    /// Tells whether a file is shown as it is.
    pub fn follows(&self, file: &Path) -> bool {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner).contains(file)
    }
}

fn changes(event: &Event) -> Vec<DiskChange> {
    let structure = match event.kind {
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => true,
        EventKind::Modify(ModifyKind::Metadata(_)) => return Vec::new(),
        EventKind::Modify(_) | EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
        // The queue ran over: everything may have changed.
        EventKind::Other if event.need_rescan() => true,
        _ => return Vec::new(),
    };
    let is_rename = event.kind == EventKind::Modify(ModifyKind::Name(RenameMode::Both));
    let before = |at: usize| if is_rename && at == 1 { event.paths.first().cloned() } else { None };
    let paths = event.paths.iter().enumerate();
    paths.map(|(at, path)| DiskChange { path: path.clone(), structure, from: before(at) }).collect()
}
