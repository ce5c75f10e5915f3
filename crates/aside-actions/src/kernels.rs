//! What the actions about cells that are run and their kernels share.

use std::sync::Arc;

use aside_core::{Assessment, Failure, Risks, WorkspacePath};
use aside_gate::ActionContext;
use aside_kernels::{Session, Sessions};
use aside_workspace::Workspace;

use crate::files::{blocking, touching, viewing};

/// What these actions need.
#[derive(Clone)]
pub(crate) struct NotebookKernels {
    pub workspace: Arc<Workspace>,
    pub sessions: Arc<Sessions>,
}

impl NotebookKernels {
    /// The session of a notebook.
    pub async fn session(&self, path: &WorkspacePath) -> Result<Arc<Session>, Failure> {
        let (sessions, path) = (self.sessions.clone(), path.clone());
        blocking(&self.workspace, move |_| Ok(sessions.session(&path))).await?.map_err(|error| error.failure())
    }

    /// They touch the notebook. No versions: what is decided on is the code that the preview shows.
    pub async fn assess(
        &self,
        context: &ActionContext,
        path: &WorkspacePath,
        risks: impl Into<Risks>,
    ) -> Result<Assessment, Failure> {
        let (path, risks) = (path.clone(), risks.into());
        viewing(&self.workspace, context, move |view| Ok(touching(view, &[&path], risks))).await
    }
}
