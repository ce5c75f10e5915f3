//! Notebooks of older formats: they open, and their files stay as they are until a person has them upgraded.

use std::sync::Arc;

use crate::{Document, Placed, Word, Workspace, WorkspaceError, document::Inner, kept, save::settle};

impl Workspace {
    /// Writes a notebook of an older format in the newest one, with all that was changed in it; returns how the old file is kept.
    /// None if its format is not older.
    ///
    /// # Errors
    /// If it can't be written; then it is of the older format still.
    pub fn upgrade_notebook(&self, document: &Arc<Document>, word: Word) -> Result<Option<Placed>, WorkspaceError> {
        let _disk = self.disk();
        self.bring_together(document)?;
        let path = document.path();
        if older_format(&document.lock()).is_none() {
            return Ok(None);
        }
        let overwritten = kept::keep(&self.root.resolve(&path)?, &self.store)?;
        let Some(upgraded) = document.lock().content.as_notebook_mut().and_then(|notebook| notebook.upgrade()) else {
            return Ok(None);
        };
        document.note_saved(&mut document.lock(), false);
        let done = self.write(document, word);
        let mut inner = document.lock();
        if done.is_err()
            && let Some(notebook) = inner.content.as_notebook_mut()
        {
            notebook.take_back_upgrade(upgraded);
            let saved = inner.content.text() == inner.file.base;
            document.note_saved(&mut inner, saved);
        }
        settle(&mut inner, &done);
        document.announce(&inner);
        drop(inner);
        done.map(|()| Some(Placed { overwritten, made_folder: None, left: self.left_at(&path).ok() }))
    }
}

/// The older format of a notebook's file.
pub(crate) fn older_format(inner: &Inner) -> Option<u64> {
    inner.content.as_notebook()?.older_format()
}
