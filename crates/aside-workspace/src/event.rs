//! What is heard of a workspace as a whole.

use aside_core::{ActionId, WorkspacePath};

/// Something has happened in the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkspaceEvent {
    /// Files have come, gone or moved in these folders, `""` for the top; or one that is shown as it is was written.
    FilesChanged {
        /// The folders, sorted.
        folders: Vec<String>,
    },
    /// A build of a LaTeX document has begun or ended.
    LatexChanged {
        /// Its main file.
        main: WorkspacePath,
    },
    /// What is known to be wrong in files has changed.
    ProblemsChanged,
    /// An open document has another path now; its history goes on.
    DocumentMoved {
        /// The path it had.
        from: WorkspacePath,
        /// The path it has.
        to: WorkspacePath,
    },
    /// An action has changed a document. Connected editors hear the same, in order, in their frames.
    DocumentEdited {
        /// Which document.
        path: WorkspacePath,
        /// The action.
        action: ActionId,
        /// The action that this one took back, if it was an undo.
        undoes: Option<ActionId>,
    },
}
