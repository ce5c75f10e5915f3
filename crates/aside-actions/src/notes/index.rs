//! What the actions ask of the index of all notes.

use std::{collections::BTreeSet, sync::Arc};

use aside_core::WorkspacePath;
use aside_notes::{Link, LinkTarget, Note, SignStyle};
use aside_workspace::Workspace;
use jiff::civil::Date;

/// Knows all notes of the workspace.
pub trait NoteIndex: Send + Sync {
    /// Returns the notes as they are now.
    fn now(&self) -> Arc<dyn NotesNow>;
}

/// All notes at one moment, and what their links mean.
pub trait NotesNow: Send + Sync {
    /// Returns the paths of all files that links can lead to.
    fn files(&self) -> Vec<WorkspacePath>;
    /// Returns the notes with links to one of these files.
    fn linking(&self, files: &BTreeSet<WorkspacePath>) -> Vec<WorkspacePath>;
    /// Returns the notes that have a tag.
    fn tagged(&self, tag: &str) -> Vec<WorkspacePath>;
    /// Returns the file that a link of a note leads to.
    fn target(&self, note: &Note, link: &Link) -> Option<LinkTarget>;
    /// Returns the file that the words of a wiki link mean in a note.
    fn means(&self, from: &WorkspacePath, words: &str) -> Option<WorkspacePath>;
    /// Returns the notes of days.
    fn days(&self) -> Vec<(Date, WorkspacePath)>;
    /// Returns the notation that most dates of the workspace have.
    fn style(&self) -> Option<SignStyle>;
}

/// The workspace and the index of its notes.
#[derive(Clone)]
pub struct Notes {
    /// The files.
    pub workspace: Arc<Workspace>,
    /// The index.
    pub index: Arc<dyn NoteIndex>,
}
