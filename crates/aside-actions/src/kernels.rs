//! What the actions about cells that are run and their kernels share.

use std::sync::Arc;

use aside_core::{Assessment, Failure, LabelSource, Risks, WorkspacePath};
use aside_gate::ActionContext;
use aside_kernels::{Session, Sessions};
use aside_macros::boxed;
use aside_workspace::Workspace;

use crate::{
    checkpoint::{NotOnDisk, saved},
    files::{blocking, glancing, touching},
};

/// What these actions need.
#[derive(Clone)]
pub(crate) struct NotebookKernels {
    pub workspace: Arc<Workspace>,
    pub sessions: Arc<Sessions>,
}

/// What the code of a notebook says. It is of runs of this notebook, unless the notebook has something else from outside.
pub(crate) fn said_by_code(notebook: &LabelSource, path: &WorkspacePath, source: LabelSource) -> LabelSource {
    if notebook.is_foreign_to(path) { source } else { source.of_runs(path) }
}

impl NotebookKernels {
    /// Where what is in a notebook comes from.
    #[boxed]
    pub async fn label(&self, path: &WorkspacePath) -> Result<LabelSource, Failure> {
        let path = path.clone();
        glancing(&self.workspace, move |workspace| Ok(workspace.label_of(&path))).await
    }

    /// Has the notebook written now, if it is open; takes nothing back if the disk refuses.
    #[boxed]
    pub async fn written(&self, path: &WorkspacePath) -> Result<Option<NotOnDisk>, Failure> {
        let path = path.clone();
        let document = blocking(&self.workspace, move |workspace| workspace.document_or_gone(&path)).await?;
        saved(&self.workspace, document).await
    }

    /// The same where the change is not given up; says so if it is not in the file.
    pub async fn written_or_kept(&self, path: &WorkspacePath) -> Option<NotOnDisk> {
        self.written(path).await.unwrap_or_else(|failure| Some(NotOnDisk::because(&failure)))
    }

    /// The session of a notebook.
    pub fn session(&self, path: &WorkspacePath) -> Result<Arc<Session>, Failure> {
        self.sessions.session(path).map_err(|error| error.failure())
    }

    /// They touch the notebook. No versions: what is decided on is the code that the preview shows.
    pub async fn assess(
        &self,
        context: &ActionContext,
        path: &WorkspacePath,
        risks: impl Into<Risks>,
    ) -> Result<Assessment, Failure> {
        let (path, risks, would_be) = (path.clone(), risks.into(), Arc::clone(&context.would_be));
        let found = move |workspace: &Workspace| Ok(touching(&workspace.view(&would_be), &[&path], risks));
        glancing(&self.workspace, found).await
    }
}
