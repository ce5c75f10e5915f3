//! What the actions ask of the index of all notes.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use aside_core::{Version, WorkspacePath, WouldBe};
use aside_notes::{Flavour, FoundBy, Link, LinkTarget, Note, SignStyle, Vault, is_note, most_used_style};
use aside_workspace::Workspace;

use super::reading::read;

/// Knows all notes of the workspace.
pub trait NoteIndex: Send + Sync {
    /// Returns the notes as they are now.
    fn now(&self) -> Arc<Vault>;
}

/// The workspace and the index of its notes.
#[derive(Clone)]
pub struct Notes {
    /// The files.
    pub workspace: Arc<Workspace>,
    /// The index.
    pub index: Arc<dyn NoteIndex>,
}

/// Returns the file that a link of a note leads to.
pub(crate) fn target(vault: &Vault, note: &Note, link: &Link) -> Option<LinkTarget> {
    let found = vault.resolve(&note.path, link)?;
    let by_path = matches!(found.by, FoundBy::Path | FoundBy::Name | FoundBy::NameWithoutCase);
    let is_file_title = |note: &Arc<Note>| note.title_range.is_none() && note.flavour == Flavour::Logseq;
    let by_file_title = found.by == FoundBy::Title && vault.note(&found.path).is_some_and(is_file_title);
    Some(LinkTarget { path: found.path, by_path, by_file_title })
}

/// Returns the notation that most dates of the workspace have.
pub(crate) fn style_of(vault: &Vault) -> Option<SignStyle> {
    let todos = vault.sorted_notes().into_iter().flat_map(|note| &note.todos);
    most_used_style(todos.flat_map(|todo| &todo.signs).map(|sign| sign.style))
}

/// An index that reads all notes when it is asked, and parses those that have changed.
pub struct ScannedNotes {
    workspace: Arc<Workspace>,
    known: Mutex<HashMap<WorkspacePath, (Version, Arc<Note>)>>,
}

impl ScannedNotes {
    /// The notes of a workspace.
    pub fn new(workspace: Arc<Workspace>) -> Self {
        Self { workspace, known: Mutex::default() }
    }
}

impl NoteIndex for ScannedNotes {
    fn now(&self) -> Arc<Vault> {
        let would_be = WouldBe::default();
        let view = self.workspace.view(&would_be);
        let mut before = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut vault, mut known) = (Vault::default(), HashMap::new());
        for path in self.workspace.names().paths {
            let text = is_note(&path).then(|| view.peek_text(&path).ok()).flatten();
            let Some((_, text, _)) = text else {
                vault.set_file(&path);
                continue;
            };
            let version = Version::of(text.as_bytes());
            let same = before.remove(&path).filter(|(before, _)| *before == version);
            let note = same.map(|(_, note)| note).or_else(|| Some(Arc::new(read(&view, &path).ok()?.note)));
            let Some(note) = note else { continue };
            vault.set(Arc::clone(&note));
            known.insert(path, (version, note));
        }
        *before = known;
        Arc::new(vault)
    }
}
