//! Looks at all files of a folder, on a thread of its own, and tells the owner of the index what is there.

use std::{
    ops::ControlFlow,
    path::PathBuf,
    sync::{Arc, mpsc},
    thread,
};

use aside_core::{Timestamp, WorkspacePath};
use aside_workspace::{Walked, Workspace};

use crate::{errand::Errand, kind::DocumentKind};

/// Files of one message.
const BATCH: usize = 500;
/// Files that are indexed at most, and folders that are watched: the system has a limit.
pub(crate) const MOST_FILES: usize = 200_000;
const MOST_WATCHED: usize = 8_000;

/// A file that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenFile {
    pub path: WorkspacePath,
    pub size: u64,
    pub modified: Timestamp,
}

/// The end of a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WalkEnd {
    /// The folder; none for the whole workspace.
    pub folder: Option<WorkspacePath>,
    /// There are more files than the index takes.
    pub has_more: bool,
}

/// Starts a walk over a folder, the whole workspace if none is named.
pub(crate) fn start(workspace: Arc<Workspace>, folder: Option<WorkspacePath>, errands: mpsc::Sender<Errand>) {
    let name = "aside-index-walk".to_owned();
    let started = thread::Builder::new().name(name).spawn(move || walk(&workspace, folder, &errands));
    if let Err(error) = started {
        tracing::warn!(%error, "files are not looked at for the search index");
    }
}

fn walk(workspace: &Workspace, folder: Option<WorkspacePath>, errands: &mpsc::Sender<Errand>) {
    let (mut batch, mut folders, mut count) = (Vec::new(), Vec::<PathBuf>::new(), 0);
    let mut has_more = false;
    workspace.walk_files(folder.as_ref(), |walked| {
        match walked {
            Walked::Folder(folder) if folders.len() < MOST_WATCHED => {
                // Before its files are looked at, so that no change is missed.
                workspace.watch_folder(&folder);
                folders.push(folder);
            }
            Walked::Folder(_) => {}
            Walked::File { path, size, modified } => {
                if DocumentKind::of_file(&path).is_none() || size == 0 {
                    return ControlFlow::Continue(());
                }
                if count == MOST_FILES {
                    has_more = true;
                    return ControlFlow::Break(());
                }
                count += 1;
                batch.push(SeenFile { path, size, modified });
            }
        }
        if batch.len() < BATCH {
            return ControlFlow::Continue(());
        }
        match errands.send(Errand::Seen(std::mem::take(&mut batch))) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    // Nobody reads them if the workspace is closed.
    let _ = errands.send(Errand::Seen(batch));
    let _ = errands.send(Errand::Walked(WalkEnd { folder, has_more }));
}
