//! Notebooks as the actions on cells find them, and what is kept of cells that went.

use std::sync::Arc;

use aside_core::{Sha256, Version, WorkspacePath, WouldBePlace};
use aside_doc::{CellChange, CellChangeError, NotebookCell, NotebookDocument, cells_of};
use aside_notebook::Notebook;

use crate::{View, Workspace, WorkspaceError, view::Found};

/// The hashes of cells that were taken away, as JSON.
const CELLS: &str = "kept_cells";
/// Bytes of a notebook's file in a plan.
const MOST_BYTES: u64 = 512 * 1024 * 1024;

/// A notebook as it is, or as the steps of a plan before this one would leave it.
#[derive(Clone, Debug)]
pub struct SeenNotebook {
    /// Where its file is, links resolved.
    pub path: WorkspacePath,
    /// The file as it would be written, outputs included.
    pub notebook: Arc<Notebook>,
    /// Its cells, in order.
    pub cells: Vec<NotebookCell>,
}

impl SeenNotebook {
    /// Returns the bytes of its file after changes of its cells.
    ///
    /// # Errors
    /// If one can't be made.
    pub fn bytes_after(&self, changes: &[CellChange]) -> Result<Vec<u8>, CellChangeError> {
        let mut document = NotebookDocument::from_notebook(&self.notebook);
        document.apply(changes, "plan")?;
        let mut notebook = Notebook::clone(&self.notebook);
        document.write_into(&mut notebook);
        Ok(notebook.write().into_bytes())
    }
}

impl View<'_> {
    /// Returns a notebook.
    ///
    /// # Errors
    /// If it is none; or if its cells can't be told apart in the would-be state, because its format has no ids.
    pub fn notebook(&self, path: &WorkspacePath) -> Result<SeenNotebook, WorkspaceError> {
        let real = self.real_path(path)?;
        match self.found(&real) {
            Found::Now(source) => self.workspace.live_notebook(&source, real),
            Found::Other(WouldBePlace::File(_)) => self.would_be_notebook(real),
            Found::Other(_) => Err(WorkspaceError::NotFound(path.clone())),
        }
    }

    fn would_be_notebook(&self, path: WorkspacePath) -> Result<SeenNotebook, WorkspaceError> {
        let bytes = self.content(&path, MOST_BYTES)?;
        let not_one = |error| WorkspaceError::NotANotebook { path: path.clone(), reason: format!("{error}") };
        let notebook = Notebook::read(&bytes).map_err(not_one)?;
        if !notebook.has_ids() {
            return Err(WorkspaceError::Unforeseen(path));
        }
        Ok(SeenNotebook { cells: cells_of(&notebook), path, notebook: Arc::new(notebook) })
    }
}

impl Workspace {
    fn live_notebook(&self, source: &WorkspacePath, path: WorkspacePath) -> Result<SeenNotebook, WorkspaceError> {
        let document = self.document(source)?;
        let Some(notebook) = document.notebook() else {
            let reason = "it is open as text".to_owned();
            return Err(WorkspaceError::NotANotebook { path, reason });
        };
        Ok(SeenNotebook { cells: cells_of(&notebook), path, notebook })
    }

    /// Keeps cells that are taken away, as JSON.
    ///
    /// # Errors
    /// If the store can't be written.
    pub fn keep_cells(&self, json: &str) -> Result<Sha256, WorkspaceError> {
        let hash = self.store.put_blob(json.as_bytes())?;
        self.store.put(CELLS, hash.as_str(), None, &true)?;
        Ok(hash)
    }

    /// Returns cells that were taken away: those and nothing else that is kept under a hash.
    ///
    /// # Errors
    /// If none are kept under it.
    pub fn kept_cells(&self, hash: &Sha256) -> Result<String, WorkspaceError> {
        let lost = || WorkspaceError::NotKept(hash.to_string());
        self.store.get::<bool>(CELLS, hash.as_str())?.ok_or_else(lost)?;
        self.kept_text(hash)?.ok_or_else(lost)
    }

    /// Keeps a text, so that changes may refer to its version later.
    ///
    /// # Errors
    /// If the store can't be written.
    pub fn keep_text(&self, text: &str) -> Result<Version, WorkspaceError> {
        Ok(self.store.put_blob_soon(text.as_bytes())?)
    }

    /// Returns a text that is kept, by its whole version.
    ///
    /// # Errors
    /// If the store can't be read.
    pub fn kept_text(&self, version: &Version) -> Result<Option<String>, WorkspaceError> {
        Ok(self.store.get_blob(version)?.and_then(|bytes| String::from_utf8(bytes).ok()))
    }
}
