//! Hears from the system what changes in the folders somebody looks at: those that were listed and
//! those with open documents. Never the whole tree, which may be huge.

use std::{
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

/// The system's watcher; none where the system has no more to give.
pub(crate) struct Watcher(Mutex<Option<RecommendedWatcher>>);

impl Watcher {
    pub fn new(errands: mpsc::Sender<Errand>) -> Self {
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            // The keeper has ended only when the workspace has.
            let _ = event.map(|event| errands.send(Errand::Disk(changes(&event))));
        });
        if let Err(error) = &watcher {
            tracing::warn!(%error, "changes on the disk are noticed late: the system gives no watcher");
        }
        Self(Mutex::new(watcher.ok()))
    }

    /// Watches one folder, not what is below it. Watching again does no harm.
    pub fn watch(&self, folder: &Path) {
        let mut watcher = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(watcher) = watcher.as_mut() else { return };
        if let Err(error) = watcher.watch(folder, RecursiveMode::NonRecursive) {
            tracing::debug!(folder = %folder.display(), %error, "the folder is not watched");
        }
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
