//! The notes of the workspace, as the actions that read them need them.

use std::sync::Arc;

use aside_core::Failure;
use aside_gate::waiting;
use aside_notes::Vault;
use aside_workspace::{Workspace, WorkspaceError};

/// Characters of an answer for a model, and of the data of an answer.
pub(crate) const MOST_TOLD: usize = 15_000;
pub(crate) const MOST_FOUND: usize = 30_000;
pub(crate) const MOST_READ: usize = 42_000;

/// Works with all notes as they are now, once they are known.
pub(crate) async fn with_notes<T: Send + 'static>(
    workspace: &Arc<Workspace>,
    work: impl FnOnce(&Arc<Workspace>, &Vault) -> Result<T, WorkspaceError> + Send + 'static,
) -> Result<T, Failure> {
    let workspace = Arc::clone(workspace);
    let done = waiting(move || {
        let vault = workspace.notes_now();
        work(&workspace, &vault)
    });
    done.await.map_err(|error| error.failure())?.map_err(Failure::from)
}
