//! The cells of a document that is live as a notebook.

use std::sync::Arc;

use aside_core::{ActionId, MadeBy, Version, WorkspacePath};
use aside_doc::{CellChange, CellChangeError, CellOutputs, NotebookCell};
use aside_notebook::Notebook;

use super::{Document, Inner};
use crate::{WorkspaceError, WorkspaceEvent, room::DocumentFrame};

/// Why cells were not changed; nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum CellsRefused {
    /// It is a text.
    #[error("`{0}` is not open as a notebook")]
    NotANotebook(WorkspacePath),
    /// One of them can't be made.
    #[error(transparent)]
    Impossible(#[from] CellChangeError),
}

/// Cells that were changed.
#[derive(Clone, Debug)]
pub struct ChangedCells {
    /// The version before.
    pub before: Version,
    /// The version they led to.
    pub after: Version,
    /// What takes them back, as long as nobody changes the same.
    pub inverse: Vec<CellChange>,
}

impl Document {
    /// Returns the cells as they are now, in order; none of a text.
    pub fn cells(&self) -> Option<Vec<NotebookCell>> {
        Some(self.lock().content.as_notebook()?.document().cells())
    }

    /// Returns the notebook as it would be written, with what its cells have put out; none of a text.
    pub fn notebook(&self) -> Option<Arc<Notebook>> {
        Some(self.lock().content.as_notebook()?.notebook())
    }

    /// Changes cells in an action's name, all or none: as `plan` says of the cells as they are at that moment. What that
    /// takes away, it may: the preview shows it to a person.
    ///
    /// # Errors
    /// If it is a text, if `plan` says so, or if one of the changes can't be made.
    pub fn change_cells<E: From<CellsRefused>>(
        self: &Arc<Self>,
        plan: impl FnOnce(&[NotebookCell]) -> Result<Vec<CellChange>, E>,
        action: &ActionId,
        undoes: Option<&ActionId>,
    ) -> Result<ChangedCells, E> {
        let mut inner = self.lock();
        let path = inner.path.clone();
        let (before, old) = (inner.content.version(), inner.content.text());
        let Some(notebook) = inner.content.as_notebook_mut() else {
            return Err(CellsRefused::NotANotebook(path).into());
        };
        let changes = plan(&notebook.document().cells())?;
        let changed = notebook.apply(&changes, action.as_str()).map_err(CellsRefused::from)?;
        if let Some(change) = &changed.change {
            inner.edits += 1;
            let by = MadeBy::Action { action: action.clone(), undoes: undoes.cloned() };
            self.note_change(&mut inner, by, Some(Arc::clone(&old)));
            self.spread(&mut inner, change, None);
            inner.room.send_others(None, DocumentFrame::Edited { action: action.clone(), undoes: undoes.cloned() });
        }
        if undoes.is_some() {
            self.respell(&mut inner);
        }
        let (after, text) = (inner.content.version(), inner.content.text());
        if changes.iter().any(|change| matches!(change, CellChange::Remove { .. } | CellChange::Source { .. })) {
            inner.file.approved = Some(Arc::clone(&text));
        }
        // The cells have changed already, so a store that takes no more is a problem, not a refusal.
        let kept = self.keep_version_soon(&mut inner, &before, &old);
        if let Err(error) = kept.and_then(|()| self.keep_version_soon(&mut inner, &after, &text)) {
            inner.file.problem = Some(error.failure());
        }
        self.announce(&inner);
        drop(inner);
        self.tell_edited(path, action, undoes);
        Ok(ChangedCells { before, after, inverse: changed.inverse })
    }

    /// Spells a notebook after an undo as it was: like the latest text that held just this.
    pub(super) fn respell(&self, inner: &mut Inner) {
        let current = inner.content.version();
        if inner.versions.contains(&current) {
            return;
        }
        let earlier: Vec<Version> = inner.versions.iter().rev().cloned().collect();
        for version in earlier {
            let text = self.text_at_locked(inner, version.as_str());
            let (Ok(Some((_, text))), Some(notebook)) = (text, inner.content.as_notebook_mut()) else { continue };
            if notebook.respell(&text) {
                return;
            }
        }
    }

    /// Takes what cells have put out; it comes to the file with the next write. A cell that is gone is passed over.
    ///
    /// # Errors
    /// If it is a text.
    pub fn set_outputs(self: &Arc<Self>, runs: &[CellOutputs]) -> Result<(), CellsRefused> {
        let mut inner = self.lock();
        let path = inner.path.clone();
        let before = inner.file.saved.then(|| Arc::clone(&inner.file.base));
        let Some(notebook) = inner.content.as_notebook_mut() else { return Err(CellsRefused::NotANotebook(path)) };
        notebook.set_outputs(runs);
        self.note_change(&mut inner, MadeBy::Run, before);
        self.has_changed(&mut inner);
        Ok(())
    }

    /// Sets a part of the notebook's own metadata, as JSON text; none takes it away.
    ///
    /// # Errors
    /// If it is a text, or the value is no JSON.
    pub fn set_notebook_metadata(self: &Arc<Self>, name: &str, value: Option<&str>) -> Result<(), WorkspaceError> {
        let mut inner = self.lock();
        let path = inner.path.clone();
        let refused = |reason: String| WorkspaceError::NotANotebook { path: path.clone(), reason };
        let Some(notebook) = inner.content.as_notebook_mut() else {
            return Err(refused("it is open as text".to_owned()));
        };
        let change = notebook.document_mut().set_metadata(name, value, "kernel");
        if let Some(change) = change.map_err(|error| refused(format!("`{name}` is not valid JSON: {error}")))? {
            self.spread(&mut inner, &change, None);
        }
        Ok(())
    }

    pub(super) fn tell_edited(&self, path: WorkspacePath, action: &ActionId, undoes: Option<&ActionId>) {
        let (action, undoes) = (action.clone(), undoes.cloned());
        // Nobody may be listening.
        let _ = self.events.send(WorkspaceEvent::DocumentEdited { path, action, undoes });
    }
}
