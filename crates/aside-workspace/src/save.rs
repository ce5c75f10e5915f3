//! Between a document and its file: what other programs changed is merged in first, then the text is
//! written, unless that would take away much that nobody said may go.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use aside_core::MadeBy;
use aside_doc::{LiveNotebook, NotText, decode, encode};

use crate::{
    Document, Placed, Workspace, WorkspaceError, WorkspaceEvent, confined::is_hidden, document::Inner, kept,
    kind::most_of, merge::merge_into, record::DocumentRecord,
};

/// Whether a person said that a file may become much shorter, or come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Nobody said anything.
    NotGiven,
    /// A person did.
    Given,
}

impl Workspace {
    /// Writes a document to its file if the two differ.
    pub fn save(&self, document: &Arc<Document>, word: Word) -> Result<(), WorkspaceError> {
        let _disk = self.disk();
        let done = self.bring_together(document).and_then(|()| self.write(document, word));
        let mut inner = document.lock();
        settle(&mut inner, &done);
        document.announce(&inner);
        done
    }

    /// Writes a document over what is in its file and can't be taken in, because a person said so; returns how that is
    /// kept. What can be taken in is merged as always, and nothing is kept then.
    ///
    /// # Errors
    /// If it can't be written, or what is there can't be kept.
    pub fn write_over(&self, document: &Arc<Document>) -> Result<Option<Placed>, WorkspaceError> {
        let _disk = self.disk();
        let done = match self.bring_together(document) {
            Err(error) if error.is_of_the_content() => self.replace_unfit(document),
            together => together.and_then(|()| self.write(document, Word::NotGiven)).map(|()| None),
        };
        let mut inner = document.lock();
        match &done {
            Ok(_) => settle(&mut inner, &Ok(())),
            Err(error) => inner.file.problem = Some(error.failure()),
        }
        document.announce(&inner);
        done
    }

    fn replace_unfit(&self, document: &Arc<Document>) -> Result<Option<Placed>, WorkspaceError> {
        let path = document.path();
        let overwritten = kept::keep(&self.root.resolve(&path)?, &self.store)?;
        document.note_saved(&mut document.lock(), false);
        self.write(document, Word::Given)?;
        Ok(Some(Placed { overwritten, made_folder: None, left: self.left_at(&path).ok() }))
    }

    /// Writes all open documents; returns the problems.
    pub fn save_all(&self) -> Vec<WorkspaceError> {
        let documents = self.open_documents();
        documents.iter().filter_map(|document| self.save(document, Word::NotGiven).err()).collect()
    }

    /// Opens the documents whose changes had not come to their files when the server was ended; so they come there now.
    pub(crate) fn take_up(&self) {
        let left = DocumentRecord::unwritten(&self.store).unwrap_or_else(|error| {
            tracing::warn!("cannot look for unsaved documents: {error}");
            Vec::new()
        });
        for record in left {
            if let Err(error) = self.document(&record.path) {
                tracing::warn!(path = %record.path, "cannot save changes from before the server stopped: {error}");
            }
        }
    }

    /// Looks at files that changed on the disk, and tells which listings are out of date.
    pub(crate) fn take_in(&self, touched: &BTreeSet<PathBuf>, listings: &BTreeSet<PathBuf>) {
        for document in self.open_documents() {
            let file = self.root.place_of(&document.path());
            if touched.iter().any(|path| file.starts_with(path)) {
                self.look_at(&document);
            }
        }
        let rewritten = touched.iter().filter(|path| self.watcher.follows(path)).filter_map(|path| path.parent());
        let changed = listings.iter().map(PathBuf::as_path).chain(rewritten);
        let folders: BTreeSet<String> = changed.filter_map(|folder| self.folder_name(folder)).collect();
        let shown = touched.iter().any(|path| !path.file_name().is_some_and(is_hidden));
        if shown && !folders.is_empty() {
            self.tell(WorkspaceEvent::FilesChanged { folders: folders.into_iter().collect() });
        }
    }

    /// Takes in what another program did to a document's file.
    fn look_at(&self, document: &Arc<Document>) {
        let _disk = self.disk();
        self.look_at_held(document);
    }

    /// The same, where the disk is held already.
    pub(crate) fn look_at_held(&self, document: &Arc<Document>) {
        let done = self.bring_together(document);
        let mut inner = document.lock();
        settle(&mut inner, &done);
        document.announce(&inner);
        if done.is_ok() && !inner.file.saved && !inner.file.gone {
            self.save_soon(document);
        }
    }

    fn folder_name(&self, folder: &Path) -> Option<String> {
        let inside = folder.strip_prefix(self.folder()).ok()?;
        if inside.iter().any(is_hidden) {
            return None;
        }
        // The top one has no path.
        Some(aside_core::WorkspacePath::of_disk(inside).map_or_else(|_| String::new(), |path| path.to_string()))
    }

    /// Merges what the file holds now into the document. The disk must be held.
    pub(crate) fn bring_together(&self, document: &Arc<Document>) -> Result<(), WorkspaceError> {
        let path = document.path();
        let bytes = match self.root.resolve(&path).and_then(|place| place.read(most_of(&path))) {
            Ok(bytes) => bytes,
            Err(WorkspaceError::NotFound(_)) => {
                let mut inner = document.lock();
                inner.file.gone = true;
                document.note_saved(&mut inner, false);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let (theirs, shape) = decode(&bytes).map_err(|problem| not_text(problem, &path))?;
        let mut inner = document.lock();
        if theirs.is_empty() && !inner.file.base.is_empty() && !inner.file.seen_empty {
            inner.file.seen_empty = true;
            self.look_again(&path);
            return Err(WorkspaceError::Held { path, reason: "another program has emptied it".to_owned() });
        }
        inner.file.seen_empty = false;
        inner.file.gone = false;
        let changed = *inner.file.base != *theirs;
        if changed {
            let (base, before) = (Arc::clone(&inner.file.base), inner.content.text());
            let merged = merge_into(&mut inner.content, &base, &theirs);
            let unfit = |reason| WorkspaceError::Unfit { path: path.clone(), reason };
            let merged = merged.map_err(unfit)?;
            document.note_change(&mut inner, MadeBy::Disk, Some(before));
            for change in merged {
                document.spread(&mut inner, &change, None);
            }
            inner.file.base = theirs.into();
        }
        let shape = inner.file.shape.continued(&inner.file.base, shape);
        if changed || inner.file.shape != shape {
            inner.file.shape = shape;
            document.remember_base(&inner)?;
        }
        let saved = inner.content.text() == inner.file.base;
        document.note_saved(&mut inner, saved);
        Ok(())
    }

    pub(crate) fn write(&self, document: &Arc<Document>, word: Word) -> Result<(), WorkspaceError> {
        let mut inner = document.lock();
        let (path, text) = (inner.path.clone(), inner.content.text());
        let held = |reason: &str| Err(WorkspaceError::Held { path: path.clone(), reason: reason.to_owned() });
        if inner.file.saved {
            return Ok(());
        }
        if inner.file.gone && word == Word::NotGiven {
            return held("the file was deleted; confirm that it should be created again");
        }
        if inner.content.as_notebook().is_some_and(LiveNotebook::would_be_upgraded) {
            inner.file.needs_word = true;
            return held("its file has an older notebook format; confirm that it is upgraded");
        }
        let full = inner.file.approved.as_ref().unwrap_or(&inner.file.base);
        let (before, after) = (inner.content.own_words_in(full), inner.content.own_words());
        let shrinks = !inner.file.gone && shrinks(&before, &after);
        inner.file.needs_word = shrinks && word == Word::NotGiven;
        if inner.file.needs_word {
            return held("the file would be empty or much shorter; confirm this change");
        }
        if shrinks {
            // Whatever led to it: what the file loses can be had again.
            let base = Arc::clone(&inner.file.base);
            inner.lineage.replace(base, document.now());
            document.keep_replaced_soon();
        }
        let bytes = encode(&text, &inner.file.shape);
        let (size, limit) = (bytes.len() as u64, most_of(&path));
        if size > limit {
            return Err(WorkspaceError::Outgrown { path, size, limit });
        }
        inner.file.writing = Some(inner.content.version());
        document.remember(&inner)?;
        // Typing goes on while the disk works.
        drop(inner);
        let written = self.place(document, &bytes);
        let mut inner = document.lock();
        inner.file.writing = None;
        written?;
        if inner.file.shape.mixed.is_some() {
            // Lines are compared with what is in the file now.
            inner.file.shape = inner.file.shape.after(&bytes).map_err(|problem| not_text(problem, &path))?;
        }
        inner.file.base = text;
        inner.file.approved = None;
        inner.file.gone = false;
        let saved = inner.content.text() == inner.file.base;
        document.note_saved(&mut inner, saved);
        document.remember_base(&inner)?;
        document.compact(&mut inner)
    }

    fn place(&self, document: &Document, bytes: &[u8]) -> Result<(), WorkspaceError> {
        let path = document.path();
        let made = self.make_parents(&path)?;
        let written = self.root.resolve(&path).and_then(|place| {
            place.check_writable()?;
            place.replace(bytes)
        });
        if written.is_err() {
            self.remove_empty_folders(&path, made.as_ref());
        }
        written
    }
}

/// Notes what came of it. That something is held is a state of its own, not a problem of the disk.
pub(crate) fn settle(inner: &mut Inner, done: &Result<(), WorkspaceError>) {
    inner.file.problem = match done {
        Ok(()) | Err(WorkspaceError::Held { .. }) => None,
        Err(error) => Some(error.failure()),
    };
    if inner.file.saved {
        inner.file.needs_word = false;
        inner.file.approved = None;
    }
}

/// Tells whether a text takes away so much that a person has to say so.
fn shrinks(full: &str, text: &str) -> bool {
    if text.trim().is_empty() {
        return !full.trim().is_empty();
    }
    let (before, after) = (full.lines().count(), text.lines().count());
    before > 20 && after * 10 < before * 3
}

pub(crate) fn not_text(problem: NotText, path: &aside_core::WorkspacePath) -> WorkspaceError {
    match problem {
        NotText::Binary { .. } => WorkspaceError::Binary(path.clone()),
        NotText::NotUtf8 { at } => WorkspaceError::NotUtf8 { path: path.clone(), at },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emptying_and_cutting_short_need_a_word() {
        let lines = |count: usize| "line\n".repeat(count);
        assert!(shrinks("text\n", ""));
        assert!(shrinks("text\n", " \n"));
        assert!(!shrinks("", ""));
        assert!(shrinks(&lines(21), &lines(6)));
        assert!(!shrinks(&lines(21), &lines(7)));
        assert!(!shrinks(&lines(20), &lines(1)));
        assert!(!shrinks(&lines(5), &lines(500)));
    }
}
