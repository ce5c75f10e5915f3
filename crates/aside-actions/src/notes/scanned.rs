//! An index that reads all notes when it is asked: for workspaces whose index is not there yet.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

use aside_core::{Version, WorkspacePath, WouldBe};
use aside_notes::{FileNames, Link, LinkTarget, Note, SignStyle, folded, most_used_style};
use aside_workspace::Workspace;
use jiff::civil::Date;

use super::{
    NoteIndex, NotesNow,
    reading::{is_note, read},
};

/// Reads all notes when it is asked, and keeps those that did not change.
pub struct ScannedNotes {
    workspace: Arc<Workspace>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    notes: HashMap<WorkspacePath, (Version, Arc<Note>)>,
}

/// All files and notes at one moment.
struct All {
    files: Vec<WorkspacePath>,
    names: FileNames,
    notes: Vec<Arc<Note>>,
}

impl ScannedNotes {
    /// The notes of a workspace.
    pub fn new(workspace: Arc<Workspace>) -> Self {
        Self { workspace, known: Mutex::default() }
    }

    fn all(&self) -> All {
        let would_be = WouldBe::default();
        let view = self.workspace.view(&would_be);
        let files = self.workspace.names().paths;
        let mut names = FileNames::default();
        files.iter().for_each(|file| names.add(file));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut notes = HashMap::new();
        for path in files.iter().filter(|path| is_note(path)) {
            let Ok((_, text, _)) = view.peek_text(path) else { continue };
            let version = Version::of(text.as_bytes());
            let before = known.notes.remove(path).filter(|(before, _)| *before == version);
            let note = before.map(|(_, note)| note).or_else(|| Some(Arc::new(read(&view, path).ok()?.note)));
            notes.extend(note.map(|note| (path.clone(), (version, note))));
        }
        known.notes = notes;
        let notes = known.notes.values().map(|(_, note)| note.clone()).collect();
        All { files, names, notes }
    }
}

impl All {
    fn wiki(&self, from: &WorkspacePath, words: &str) -> Option<LinkTarget> {
        let words = words.trim_end_matches('\\').trim();
        if words.starts_with("./") || words.starts_with("../") {
            return self.names.at(from, words).map(|path| LinkTarget { path, by_path: true });
        }
        if let Some(path) = self.names.meant(words, from) {
            return Some(LinkTarget { path, by_path: true });
        }
        let key = folded(words);
        let by_alias = |note: &&Arc<Note>| note.aliases.iter().any(|alias| folded(alias) == key);
        let by_title = |note: &&Arc<Note>| folded(&note.title) == key;
        let found = self.notes.iter().find(by_alias).or_else(|| self.notes.iter().find(by_title))?;
        Some(LinkTarget { path: found.path.clone(), by_path: false })
    }
}

impl NoteIndex for ScannedNotes {
    fn now(&self) -> Arc<dyn NotesNow> {
        Arc::new(self.all())
    }
}

impl NotesNow for All {
    fn files(&self) -> Vec<WorkspacePath> {
        self.files.clone()
    }

    fn linking(&self, files: &BTreeSet<WorkspacePath>) -> Vec<WorkspacePath> {
        let leads = |note: &&Arc<Note>| {
            let mut targets = note.links.iter().filter_map(|link| NotesNow::target(self, note, link));
            targets.any(|target| files.contains(&target.path))
        };
        self.notes.iter().filter(leads).map(|note| note.path.clone()).collect()
    }

    fn tagged(&self, tag: &str) -> Vec<WorkspacePath> {
        let key = folded(tag.trim_start_matches('#'));
        let has_it = |note: &&Arc<Note>| note.tags.iter().any(|tag| tag.key == key);
        self.notes.iter().filter(has_it).map(|note| note.path.clone()).collect()
    }

    fn target(&self, note: &Note, link: &Link) -> Option<LinkTarget> {
        if link.kind.is_wiki() {
            return self.wiki(&note.path, &link.target);
        }
        let path = self.names.at(&note.path, &link.target)?;
        Some(LinkTarget { path, by_path: true })
    }

    fn means(&self, from: &WorkspacePath, words: &str) -> Option<WorkspacePath> {
        self.wiki(from, words).map(|target| target.path)
    }

    fn days(&self) -> Vec<(Date, WorkspacePath)> {
        self.notes.iter().filter_map(|note| Some((note.daily?, note.path.clone()))).collect()
    }

    fn style(&self) -> Option<SignStyle> {
        let todos = self.notes.iter().flat_map(|note| &note.todos);
        most_used_style(todos.flat_map(|todo| &todo.signs).map(|sign| sign.style))
    }
}
