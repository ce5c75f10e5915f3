//! One step of work: some documents are read again and written in one transaction.

use std::time::{Duration, Instant};

use aside_core::WorkspacePath;
use aside_search::{Document, SearchError};
use aside_workspace::{EntryKind, Workspace};

use super::{
    Owner,
    pending::{Item, Pending},
};
use crate::{
    file_state::FileState,
    pdf_queue::ReadPdf,
    source::{self, IndexedFile},
};

/// A step ends after so long: then messages are looked at. And after so many bytes of text.
const STEP: Duration = Duration::from_millis(20);
const STEP_BYTES: usize = 256 << 10;
/// Changes that a question waits for.
const CATCH_UP: Duration = Duration::from_millis(40);

/// Changes of one transaction.
#[derive(Default)]
struct Changes {
    put: Vec<Document>,
    stamps: Vec<(String, Option<FileState>)>,
    gone: Vec<String>,
    bytes: usize,
}

impl Owner {
    /// Does some of the work that waits.
    pub(super) fn step(&mut self) {
        let start = Instant::now();
        self.work(|owner, bytes| {
            let goes_on = start.elapsed() < STEP && bytes < STEP_BYTES;
            if goes_on { owner.pending.next_due(start).or_else(|| owner.pending.next_queued()) } else { None }
        });
    }

    /// Does all changes that wait, for a moment: a question follows.
    pub(super) fn catch_up(&mut self) {
        let start = Instant::now();
        let waits = |owner: &Self| owner.problem.as_ref().is_some_and(|(_, retry)| *retry > start);
        if !waits(self) {
            self.work(|owner, _| if start.elapsed() < CATCH_UP { owner.pending.next_change() } else { None });
        }
    }

    fn work(&mut self, mut next: impl FnMut(&mut Self, usize) -> Option<Item>) {
        let Some(workspace) = self.workspace.upgrade() else {
            // It is being closed.
            self.pending = Pending::default();
            return;
        };
        if self.index.is_none() {
            self.reopen();
            return;
        }
        let (mut changes, mut items) = (Changes::default(), Vec::new());
        while let Some(item) = next(self, changes.bytes) {
            match &item {
                Item::File(path) => self.file(&workspace, path, &mut changes),
                Item::Place(path) => self.place(&workspace, path, &mut changes),
                Item::Conversation(path) => self.conversation(path, &mut changes),
            }
            items.push(item);
        }
        if !self.write(changes) {
            items.into_iter().for_each(|item| self.pending.now(item));
        }
    }

    /// Reads files again at once, and tells whether the index has other texts now.
    pub(super) fn refresh(&mut self, paths: &[WorkspacePath]) -> bool {
        let Some(workspace) = self.workspace.upgrade() else { return false };
        let mut changes = Changes::default();
        paths.iter().for_each(|path| self.file(&workspace, path, &mut changes));
        let is_other = !changes.put.is_empty() || !changes.gone.is_empty();
        self.write(changes) && is_other
    }

    /// Takes documents out.
    pub(super) fn remove(&mut self, gone: Vec<String>) {
        self.write(Changes { gone, ..Changes::default() });
    }

    fn file(&mut self, workspace: &Workspace, path: &WorkspacePath, changes: &mut Changes) {
        let source = source::read(workspace, &mut self.graphs, path, self.known.file(path.as_str()));
        match source {
            IndexedFile::Document(document, stamp) => changes.add(document, Some(stamp)),
            IndexedFile::Slow(document, stamp) => {
                changes.add(document, Some(stamp));
                self.pdfs.add(path, &self.workspace, &self.errands);
            }
            IndexedFile::Same(stamp) => self.known.set_file(path.to_string(), stamp),
            IndexedFile::Gone if self.known.contains(path.as_str()) => changes.gone.push(path.to_string()),
            IndexedFile::Gone => {}
        }
    }

    /// Takes in a PDF that was read, unless it has changed since.
    pub(super) fn pdf(&mut self, ReadPdf { path, state, pages }: ReadPdf) {
        self.pdfs.done(&path);
        let Some(workspace) = self.workspace.upgrade() else { return };
        match state {
            Some(state) if source::state(&workspace, &path).is_ok_and(|now| now == Some(state)) => {
                let mut changes = Changes::default();
                let (document, stamp) = source::pdf::document(&path, state, pages);
                changes.add(document, Some(stamp));
                if !self.write(changes) {
                    self.pending.now(Item::File(path));
                }
            }
            _ => self.pending.now(Item::File(path)),
        }
    }

    fn place(&mut self, workspace: &Workspace, path: &WorkspacePath, changes: &mut Changes) {
        let entry = workspace.confine(path).and_then(|place| place.entry());
        match entry {
            Ok(Some(entry)) if entry.kind == EntryKind::Folder => {
                if workspace.is_searched_folder(path) {
                    self.walk(Some(path.clone()));
                }
            }
            Ok(Some(_)) if workspace.is_searched(path) => self.file(workspace, path, changes),
            _ => {
                changes.gone.extend(self.known.contains(path.as_str()).then(|| path.to_string()));
                changes.gone.extend(self.known.within(path.as_str()));
            }
        }
    }

    fn conversation(&mut self, path: &str, changes: &mut Changes) {
        let document = self.conversations.as_ref().and_then(|conversations| conversations.document(path));
        match document {
            Some(document) => changes.add(document, None),
            None if self.known.contains(path) => changes.gone.push(path.to_owned()),
            None => {}
        }
    }

    fn reopen(&mut self) {
        self.problem = None;
        self.open();
        if self.index.is_some() {
            self.walk(None);
            self.list_conversations();
        }
    }

    fn write(&mut self, changes: Changes) -> bool {
        let Changes { put, stamps, gone, .. } = changes;
        let Some(index) = &mut self.index else { return false };
        let mut written = if gone.is_empty() { Ok(()) } else { index.remove(&gone) };
        if written.is_ok() && !put.is_empty() {
            written = index.put(&put);
        }
        match written {
            Ok(()) => {
                let did_something = !gone.is_empty() || !put.is_empty();
                gone.iter().for_each(|path| self.known.remove(path));
                for ((path, stamp), document) in stamps.into_iter().zip(put) {
                    match stamp {
                        Some(stamp) => self.known.set_file(path, stamp),
                        None => self.known.set_conversation(path, document.stamp),
                    }
                }
                if did_something {
                    self.problem = None;
                }
                true
            }
            Err(error) => self.failed(&error),
        }
    }

    fn failed(&mut self, error: &SearchError) -> bool {
        if error.is_damaged() {
            self.start_over(error);
        } else {
            self.note_problem(error);
        }
        false
    }
}

impl Changes {
    fn add(&mut self, document: Document, stamp: Option<FileState>) {
        self.bytes += document.chunks.iter().map(|chunk| chunk.text.len()).sum::<usize>();
        self.stamps.push((document.path.clone(), stamp));
        self.put.push(document);
    }
}
