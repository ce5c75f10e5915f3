//! Lists and reads the notes of the workspace's folder, on all processors.

use std::{
    collections::BTreeSet,
    num::NonZero,
    os::unix::{ffi::OsStrExt as _, fs::MetadataExt as _},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use aside_core::WorkspacePath;
use aside_notes::{Note, is_note, parse, parse_text};
use ignore::{WalkBuilder, WalkState};

use super::{WorkspaceNotes, cache::FileStamp};
use crate::{MOST_TEXT, Workspace};

/// Most files that links can lead to.
const MOST_FILES: usize = 200_000;

/// The files of the folder.
#[derive(Debug, Default)]
pub(super) struct Listed {
    pub notes: Vec<(WorkspacePath, FileStamp)>,
    pub others: Vec<WorkspacePath>,
    pub folders: Vec<PathBuf>,
    pub graphs: BTreeSet<String>,
}

/// Lists the files that are read: none behind links, none that git ignores or whose name begins with a dot, none of the
/// settings of a Logseq graph.
pub(super) fn list(workspace: &Workspace) -> Listed {
    let root = workspace.folder();
    let found = Mutex::new(Listed::default());
    let graphs = Arc::new(Mutex::new(BTreeSet::new()));
    let mut builder = WalkBuilder::new(root);
    builder.hidden(false).require_git(false).follow_links(false);
    let (seen, top) = (Arc::clone(&graphs), root.to_owned());
    builder.filter_entry(move |entry| {
        let is_settings = entry.depth() > 0 && entry.file_name() == "logseq" && is_graph(entry.path());
        if is_settings && let Some(folder) = entry.path().parent() {
            let folder = relative(&top, folder).map(|path| path.to_string()).unwrap_or_default();
            seen.lock().unwrap_or_else(PoisonError::into_inner).insert(folder);
        }
        !is_settings && (entry.depth() == 0 || !entry.file_name().as_bytes().starts_with(b"."))
    });
    builder.build_parallel().run(|| {
        let mut own = Own { all: &found, part: Listed::default() };
        Box::new(move |entry| {
            if let Ok(entry) = entry {
                own.take(root, &entry);
            }
            WalkState::Continue
        })
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.graphs.append(&mut graphs.lock().unwrap_or_else(PoisonError::into_inner));
    found.notes.retain(|(path, _)| !workspace.root.is_in_own(path));
    found.others.truncate(MOST_FILES);
    found
}

fn is_graph(folder: &Path) -> bool {
    folder.join("config.edn").is_file()
}

fn relative(root: &Path, path: &Path) -> Option<WorkspacePath> {
    WorkspacePath::of_disk(path.strip_prefix(root).ok()?).ok()
}

/// The finds of one thread, which join those of all at its end.
struct Own<'a> {
    all: &'a Mutex<Listed>,
    part: Listed,
}

impl Own<'_> {
    fn take(&mut self, root: &Path, entry: &ignore::DirEntry) {
        let Some(kind) = entry.file_type() else { return };
        if kind.is_dir() {
            return self.part.folders.push(entry.path().to_owned());
        }
        let Some(path) = relative(root, entry.path()).filter(|_| kind.is_file()) else { return };
        match entry.metadata() {
            Ok(metadata) if is_note(&path) && metadata.size() <= MOST_TEXT => {
                let modified = i128::from(metadata.mtime()) * 1_000_000_000 + i128::from(metadata.mtime_nsec());
                self.part.notes.push((path, FileStamp { size: metadata.size(), modified }));
            }
            _ => self.part.others.push(path),
        }
    }
}

impl Drop for Own<'_> {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.notes.append(&mut self.part.notes);
        all.others.append(&mut self.part.others);
        all.folders.append(&mut self.part.folders);
    }
}

/// Reads notes on all processors. Those that can't be read are left out.
pub(super) fn read(
    workspace: &Workspace,
    notes: &WorkspaceNotes,
    paths: &[(WorkspacePath, FileStamp)],
) -> Vec<(FileStamp, Arc<Note>)> {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(8).min(paths.len().div_ceil(64)).max(1);
    let work = || {
        let mut found = Vec::new();
        while let Some((path, stamp)) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(read_one(workspace, notes, path).map(|note| (*stamp, Arc::new(note))));
        }
        found
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    })
}

/// Reads a note: its live text if it is open, else its file.
pub(super) fn read_one(workspace: &Workspace, notes: &WorkspaceNotes, path: &WorkspacePath) -> Option<Note> {
    let flavour = notes.flavour(path);
    if let Some(document) = workspace.open_document(path) {
        return Some(parse_text(path, &document.text(), flavour));
    }
    match workspace.root.resolve_entry(path).and_then(|place| place.read(MOST_TEXT)) {
        Ok(bytes) => Some(parse(path, &bytes, flavour)),
        Err(error) => {
            tracing::debug!(%path, %error, "a note can't be read");
            None
        }
    }
}
