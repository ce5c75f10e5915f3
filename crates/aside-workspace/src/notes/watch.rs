//! The thread that keeps the notes current: first those of the last time, then the folder, then each change.

use std::{
    collections::{BTreeSet, HashSet},
    path::PathBuf,
    sync::{Arc, PoisonError, Weak, mpsc},
    time::{Duration, Instant},
};

use aside_core::WorkspacePath;
use aside_notes::is_note;

use super::{NotesErrand, WorkspaceNotes, cache, scan};
use crate::{EntryKind, Workspace, listing};

/// Changes are looked at when nothing more came for so long …
const QUIET: Duration = Duration::from_millis(100);
/// … but at the latest so long after the first.
const AT_LATEST: Duration = Duration::from_secs(1);
/// The cache is written so long after the last change.
const SAVE_AFTER: Duration = Duration::from_secs(20);
/// Most folders that are watched for notes: the system has a limit.
const MOST_WATCHED: usize = 8_000;

/// Runs until the workspace is closed.
pub(super) fn run(workspace: &Weak<Workspace>, notes: &Weak<WorkspaceNotes>, errands: &mpsc::Receiver<NotesErrand>) {
    let with = |work: &dyn Fn(&Workspace, &WorkspaceNotes)| match (workspace.upgrade(), notes.upgrade()) {
        (Some(workspace), Some(notes)) => {
            work(&workspace, &notes);
            true
        }
        _ => false,
    };
    with(&|workspace, notes| {
        recall(workspace, notes);
        rescan(workspace, notes);
        notes.complete();
        save(workspace, notes);
    });
    let (mut changes, mut save_at) = (Changes::default(), None::<Instant>);
    loop {
        let now = Instant::now();
        let due = [changes.due(), save_at].into_iter().flatten().min();
        let wait = due.map_or(Duration::from_secs(3_600), |due| due.saturating_duration_since(now));
        match errands.recv_timeout(wait) {
            Ok(errand) => changes.add(errand, Instant::now()),
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        if changes.due().is_some_and(|due| due <= Instant::now()) {
            let taken = std::mem::take(&mut changes);
            if !with(&|workspace, notes| apply(workspace, notes, &taken)) {
                return;
            }
            save_at = Some(Instant::now() + SAVE_AFTER);
        }
        if save_at.is_some_and(|at| at <= Instant::now()) {
            save_at = None;
            if !with(&save) {
                return;
            }
        }
    }
}

/// Changes that wait.
#[derive(Debug, Default)]
struct Changes {
    touched: BTreeSet<PathBuf>,
    edited: BTreeSet<WorkspacePath>,
    first: Option<Instant>,
    last: Option<Instant>,
}

impl Changes {
    fn add(&mut self, errand: NotesErrand, now: Instant) {
        match errand {
            NotesErrand::Touched(paths) => self.touched.extend(paths),
            NotesErrand::Edited(path) => drop(self.edited.insert(path)),
        }
        self.first.get_or_insert(now);
        self.last = Some(now);
    }

    fn due(&self) -> Option<Instant> {
        Some((self.last? + QUIET).min(self.first? + AT_LATEST))
    }
}

/// Takes the notes of the last time, which are known at once; the folder is looked at behind them.
fn recall(workspace: &Workspace, notes: &WorkspaceNotes) {
    let Some(cached) = cache::load(workspace.folder()) else { return };
    let mut stamps = notes.stamps.lock().unwrap_or_else(PoisonError::into_inner);
    notes.change(|vault| {
        for (stamp, note) in cached {
            stamps.insert(note.path.clone(), stamp);
            vault.set(note);
        }
    });
    drop(stamps);
    notes.complete();
}

/// Looks at the whole folder, and reads the notes that have changed.
pub(super) fn rescan(workspace: &Workspace, notes: &WorkspaceNotes) {
    let listed = scan::list(workspace);
    watch(workspace, notes, &listed.folders);
    let mut graphs = notes.graphs.write().unwrap_or_else(PoisonError::into_inner);
    let is_other = *graphs != listed.graphs;
    graphs.clone_from(&listed.graphs);
    drop(graphs);
    let mut stamps = notes.stamps.lock().unwrap_or_else(PoisonError::into_inner);
    let has_flavour = |path: &WorkspacePath| {
        !is_other || notes.vault().note(path).is_some_and(|note| note.flavour == notes.flavour(path))
    };
    let is_same =
        |(path, stamp): &&(WorkspacePath, cache::FileStamp)| stamps.get(path) == Some(stamp) && has_flavour(path);
    let changed: Vec<_> = listed.notes.iter().filter(|note| !is_same(note)).cloned().collect();
    let read = scan::read(workspace, notes, &changed);
    let there: BTreeSet<&WorkspacePath> = listed.notes.iter().map(|(path, _)| path).chain(&listed.others).collect();
    let gone: Vec<WorkspacePath> = notes.vault().paths().filter(|path| !there.contains(path)).cloned().collect();
    notes.change(|vault| {
        for path in gone {
            stamps.remove(&path);
            vault.remove(&path);
        }
        for (stamp, note) in read {
            stamps.insert(note.path.clone(), stamp);
            vault.set(note);
        }
        listed.others.iter().for_each(|path| vault.set_file(path));
    });
    drop(stamps);
    let unsaved = workspace.open_documents().into_iter().filter(|document| document.unwritten().is_some());
    for path in unsaved.map(|document| document.path()).filter(is_note) {
        if notes.vault().contains(&path)
            && let Some(note) = scan::read_one(workspace, notes, &path)
            && notes.vault().note(&path).is_none_or(|known| **known != note)
        {
            notes.change(|vault| vault.set(Arc::new(note)));
        }
    }
}

/// Notices changes in folders that are not watched yet.
fn watch(workspace: &Workspace, notes: &WorkspaceNotes, folders: &[PathBuf]) {
    let mut watched = notes.watched.lock().unwrap_or_else(PoisonError::into_inner);
    let listed: HashSet<PathBuf> = folders.iter().take(MOST_WATCHED).cloned().collect();
    listed.difference(&watched).for_each(|folder| workspace.watcher.watch(folder));
    *watched = listed;
}

fn apply(workspace: &Workspace, notes: &WorkspaceNotes, changes: &Changes) {
    let mut paths = changes.edited.clone();
    let mut everything = false;
    for place in &changes.touched {
        let path = place.strip_prefix(workspace.folder()).ok();
        let Some(path) = path.and_then(|path| WorkspacePath::of_disk(path).ok()) else { continue };
        // Rules of git decide about whole folders.
        everything |= path.name() == ".gitignore";
        if !path.as_str().split('/').any(|part| part.starts_with('.')) {
            paths.insert(path);
        }
    }
    everything |= !paths.iter().all(|path| apply_one(workspace, notes, path));
    if everything {
        rescan(workspace, notes);
    }
}

/// Takes the change of one file; tells whether that is all there is to it: a folder has more.
fn apply_one(workspace: &Workspace, notes: &WorkspaceNotes, path: &WorkspacePath) -> bool {
    let entry = workspace.root.resolve_entry(path).and_then(|place| place.entry());
    // The file has changed since its state was noted.
    notes.stamps.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    match entry {
        Ok(Some(entry)) if entry.kind == EntryKind::File => {
            if listing::is_ignored(&workspace.root, path, false) || workspace.root.is_in_own(path) {
                notes.change(|vault| vault.remove(path));
            } else if !is_note(path) {
                notes.change(|vault| vault.set_file(path));
            } else if let Some(note) = scan::read_one(workspace, notes, path) {
                notes.change(|vault| vault.set(Arc::new(note)));
            }
            true
        }
        Ok(Some(entry)) if entry.kind == EntryKind::Folder => {
            // It may be another one of that name, which nobody watches.
            let place = workspace.root.place_of(path);
            let mut watched = notes.watched.lock().unwrap_or_else(PoisonError::into_inner);
            watched.retain(|folder| !folder.starts_with(&place));
            false
        }
        _ => {
            let was_file = notes.change(|vault| vault.remove(path));
            was_file || !notes.vault().paths().any(|other| other.is_within(path))
        }
    }
}

/// Remembers the notes whose files are as they were read. It costs only a longer start if that fails.
fn save(workspace: &Workspace, notes: &WorkspaceNotes) {
    let stamps = notes.stamps.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let cached: Vec<_> = {
        let vault = notes.vault();
        let with_stamp = |note: &Arc<aside_notes::Note>| {
            let open = workspace.open_document(&note.path).is_some();
            let stamp = stamps.get(&note.path).filter(|_| !open)?;
            Some((note.path.clone(), (*stamp, Arc::clone(note))))
        };
        vault.notes().filter_map(with_stamp).collect()
    };
    if let Err(error) = cache::save(workspace.folder(), &cached) {
        tracing::debug!(%error, "the parsed notes are not kept for the next start");
    }
}
