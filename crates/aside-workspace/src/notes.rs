//! The notes of the workspace: reads them when somebody asks first, keeps them current, and remembers them on the disk.
//!
//! One thread owns the changes. Readers get snapshots.

mod cache;
mod scan;
mod watch;

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Condvar, Mutex, PoisonError, RwLock, Weak, mpsc},
    thread,
    time::{Duration, Instant},
};

use aside_core::WorkspacePath;
use aside_notes::{Flavour, Note, Vault, is_note, parse, parse_text};
use jiff::{civil::Date, tz::TimeZone};

use crate::{MOST_TEXT, Workspace, WorkspaceError, listing};
use cache::FileStamp;

/// A first look at a large folder may take a while.
const LONGEST_START: Duration = Duration::from_secs(60);

/// The notes of a workspace.
pub struct WorkspaceNotes {
    /// Copied before a change if a reader still has it.
    vault: RwLock<Arc<Vault>>,
    /// All notes are known, if only from the last time.
    complete: Mutex<bool>,
    completed: Condvar,
    /// The state of each note's file when it was read.
    stamps: Mutex<HashMap<WorkspacePath, FileStamp>>,
    /// Folders in which changes are noticed.
    watched: Mutex<HashSet<PathBuf>>,
    /// Folders of Logseq graphs; `""` for the top.
    graphs: RwLock<BTreeSet<String>>,
    errands: mpsc::Sender<NotesErrand>,
}

/// A message to the thread.
pub(crate) enum NotesErrand {
    /// Places on the disk may have changed.
    Touched(Vec<PathBuf>),
    /// The live text of a document has changed.
    Edited(WorkspacePath),
}

impl WorkspaceNotes {
    /// Starts to read the notes of a workspace.
    pub(crate) fn start(workspace: Weak<Workspace>) -> Arc<Self> {
        let (errands, inbox) = mpsc::channel();
        let notes = Arc::new(Self {
            vault: RwLock::default(),
            complete: Mutex::new(false),
            completed: Condvar::new(),
            stamps: Mutex::default(),
            watched: Mutex::default(),
            graphs: RwLock::default(),
            errands,
        });
        let weak = Arc::downgrade(&notes);
        let started =
            thread::Builder::new().name("aside-notes".to_owned()).spawn(move || watch::run(&workspace, &weak, &inbox));
        started.expect("the system can start a thread");
        notes
    }

    /// Returns the notes as they are known now.
    pub fn vault(&self) -> Arc<Vault> {
        Arc::clone(&self.vault.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until all notes are known, at most for a time; returns whether they are.
    pub fn wait(&self, most: Duration) -> bool {
        let until = Instant::now() + most;
        let mut complete = self.complete.lock().unwrap_or_else(PoisonError::into_inner);
        while !*complete {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            complete = self.completed.wait_timeout(complete, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    pub(crate) fn send(&self, errand: NotesErrand) {
        // The thread ends with the workspace only.
        let _ = self.errands.send(errand);
    }

    fn complete(&self) {
        *self.complete.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.completed.notify_all();
    }

    fn change<T>(&self, change: impl FnOnce(&mut Vault) -> T) -> T {
        change(Arc::make_mut(&mut self.vault.write().unwrap_or_else(PoisonError::into_inner)))
    }

    fn flavour(&self, path: &WorkspacePath) -> Flavour {
        let graphs = self.graphs.read().unwrap_or_else(PoisonError::into_inner);
        let is_inside = |graph: &String| {
            graph.is_empty() || path.as_str().strip_prefix(&**graph).is_some_and(|rest| rest.starts_with('/'))
        };
        if graphs.iter().any(is_inside) { Flavour::Logseq } else { Flavour::Markdown }
    }
}

impl Workspace {
    /// Returns the notes of the workspace. The first call starts to read them.
    pub fn notes(self: &Arc<Self>) -> Arc<WorkspaceNotes> {
        Arc::clone(self.notes.get_or_init(|| WorkspaceNotes::start(Arc::downgrade(self))))
    }

    /// Returns all notes as they are at this moment: looks at the folder and at unsaved documents first, and waits until all
    /// notes are known.
    pub fn notes_now(self: &Arc<Self>) -> Arc<Vault> {
        let notes = self.notes();
        notes.wait(LONGEST_START);
        watch::rescan(self, &notes);
        notes.vault()
    }

    /// Reads one note again, at once: its live text if it is open, else its file. Returns it with its text; none if it is no
    /// UTF-8. The vault has it then.
    pub fn fresh_note(self: &Arc<Self>, path: &WorkspacePath) -> Result<(Arc<Note>, Option<String>), WorkspaceError> {
        let notes = self.notes();
        let (note, text) = self.parsed_note(&notes, path)?;
        let (note, vault) = (Arc::new(note), notes.vault());
        let is_known = vault.note(path).is_some_and(|known| **known == *note);
        let is_left_out = || !vault.contains(path) && listing::is_ignored(&self.root, path, false);
        if !is_known && !is_left_out() {
            drop(vault);
            notes.change(|vault| vault.set(Arc::clone(&note)));
        }
        Ok((note, text))
    }

    /// Returns today's date where the server runs.
    pub fn today(&self) -> Date {
        let now = jiff::Timestamp::from_millisecond(self.store.now().0).unwrap_or_default();
        now.to_zoned(TimeZone::system()).date()
    }

    /// Returns the text of a note as it is now; none if it is no UTF-8.
    pub fn note_text(&self, path: &WorkspacePath) -> Result<Option<String>, WorkspaceError> {
        match self.open_document(path) {
            Some(document) => Ok(Some(document.text().to_string())),
            None => Ok(String::from_utf8(self.note_bytes(path)?).ok()),
        }
    }

    /// A link is no note: its target is read where it is.
    fn note_bytes(&self, path: &WorkspacePath) -> Result<Vec<u8>, WorkspaceError> {
        if self.real_path(path)? != *path
            || !is_note(path)
            || path.as_str().split('/').any(|part| part.starts_with('.'))
        {
            return Err(WorkspaceError::NotFound(path.clone()));
        }
        self.read_file(path, MOST_TEXT)
    }

    fn parsed_note(
        &self,
        notes: &WorkspaceNotes,
        path: &WorkspacePath,
    ) -> Result<(Note, Option<String>), WorkspaceError> {
        let flavour = notes.flavour(path);
        if let Some(document) = self.open_document(path) {
            let text = document.text().to_string();
            return Ok((parse_text(path, &text, flavour), Some(text)));
        }
        let bytes = self.note_bytes(path)?;
        Ok((parse(path, &bytes, flavour), String::from_utf8(bytes).ok()))
    }

    /// Says that places on the disk may have changed.
    pub(crate) fn notes_touched(&self, paths: impl IntoIterator<Item = PathBuf>) {
        if let Some(notes) = self.notes.get() {
            notes.send(NotesErrand::Touched(paths.into_iter().collect()));
        }
    }

    /// Says that a document has changed.
    pub(crate) fn note_edited(&self, path: WorkspacePath) {
        if let Some(notes) = self.notes.get().filter(|_| is_note(&path)) {
            notes.send(NotesErrand::Edited(path));
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use std::{fs, os::unix::fs::symlink, path::Path};

    use aside_store::{Store, StoreOptions};

    use super::*;

    fn opened(folder: &Path) -> Arc<Workspace> {
        let store = Store::open(&folder.join(".aside"), StoreOptions::for_tests()).unwrap();
        Workspace::open(folder, store).unwrap()
    }

    fn scene(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        folder
    }

    fn paths(workspace: &Arc<Workspace>) -> Vec<String> {
        let notes = workspace.notes();
        assert!(notes.wait(Duration::from_secs(60)), "the notes are read");
        let vault = notes.vault();
        vault.sorted_notes().iter().map(|note| note.path.to_string()).collect()
    }

    /// Waits until something is so: changes come from the disk.
    fn until(is_so: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < Duration::from_secs(60), "it never came to be");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn notes_are_read_where_the_conventions_say() {
        let folder = scene(&[
            ("a.md", b"# A\n[[b]]"),
            ("x/b.MARKDOWN", b""),
            ("x/c.txt", b""),
            (".gitignore", b"out/\n"),
            ("out/no.md", b""),
            (".obsidian/no.md", b""),
            ("x/.no.md", b""),
            ("graph/logseq/config.edn", b""),
            ("graph/logseq/no.md", b""),
            ("graph/pages/p___q.md", b"- TODO x"),
            ("latin1.md", b"# Caf\xe9\n- [ ] x"),
        ]);
        symlink("a.md", folder.path().join("link.md")).unwrap();
        symlink(".", folder.path().join("loop")).unwrap();
        symlink("/etc", folder.path().join("outside")).unwrap();
        let workspace = opened(folder.path());
        assert_eq!(paths(&workspace), ["a.md", "graph/pages/p___q.md", "latin1.md", "x/b.MARKDOWN"]);
        let notes = workspace.notes();
        let vault = notes.vault();
        let note = |path: &str| Arc::clone(vault.note(&path.parse().unwrap()).unwrap());
        assert_eq!((&*note("graph/pages/p___q.md").title, note("graph/pages/p___q.md").todos.len()), ("p/q", 1));
        assert!(note("latin1.md").not_utf8 && note("latin1.md").todos.is_empty());
        assert_eq!(vault.backlinks(&"x/b.MARKDOWN".parse().unwrap()).len(), 1);
        assert!(vault.contains(&"x/c.txt".parse().unwrap()));
    }

    #[test]
    fn changes_on_the_disk_reach_the_notes() {
        let folder = scene(&[("a.md", b"[[b]]"), ("x/c.md", b"")]);
        let workspace = opened(folder.path());
        assert_eq!(paths(&workspace), ["a.md", "x/c.md"]);
        fs::write(folder.path().join("x/b.md"), "#tag").unwrap();
        until(|| paths(&workspace) == ["a.md", "x/b.md", "x/c.md"]);
        fs::write(folder.path().join("x/b.md"), "#other").unwrap();
        until(|| workspace.notes().vault().tags().iter().any(|tag| tag.name == "other"));
        fs::rename(folder.path().join("x"), folder.path().join("y")).unwrap();
        until(|| paths(&workspace) == ["a.md", "y/b.md", "y/c.md"]);
        fs::remove_dir_all(folder.path().join("y")).unwrap();
        until(|| paths(&workspace) == ["a.md"]);
    }

    #[test]
    fn live_text_counts_before_it_is_saved() {
        let folder = scene(&[("a.md", b"old")]);
        let workspace = opened(folder.path());
        paths(&workspace);
        let path: WorkspacePath = "a.md".parse().unwrap();
        let document = workspace.document(&path).unwrap();
        let edit =
            aside_doc::AnchoredEdit { old: Some("old".to_owned()), new: "#new".to_owned(), ..Default::default() };
        document.apply(None, &[edit], &workspace.store.new_id(), None).unwrap();
        assert!(workspace.notes_now().tags().iter().any(|tag| tag.name == "new"));
        assert_eq!(workspace.fresh_note(&path).unwrap().0.tag_names(), ["new"]);
        until(|| workspace.notes().vault().tags().iter().any(|tag| tag.name == "new"));
    }

    #[test]
    fn next_start_reads_only_changed_files() {
        let folder = scene(&[("a.md", b"#one"), ("b.md", b"#two")]);
        let first = opened(folder.path());
        paths(&first);
        let cached = folder.path().join(".aside/notes");
        until(|| cached.exists() && Arc::strong_count(&first) == 1);
        drop(first);
        fs::write(folder.path().join("b.md"), "#three!").unwrap();
        fs::remove_file(folder.path().join("a.md")).unwrap();
        let next = opened(folder.path());
        until(|| paths(&next) == ["b.md"]);
        until(|| next.notes().vault().tags().iter().any(|tag| tag.name == "three"));
        // A torn cache is no cache.
        let bytes = fs::read(&cached).unwrap();
        fs::write(&cached, &bytes[..bytes.len() / 2]).unwrap();
        assert_eq!(cache::load(folder.path()), None);
        until(|| Arc::strong_count(&next) == 1);
        drop(next);
        assert_eq!(paths(&opened(folder.path())), ["b.md"]);
    }
}
