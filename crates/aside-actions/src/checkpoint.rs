//! Waits until a document that an action has changed is in its file: an outcome is of the disk.
//!
//! If the disk refuses, the change is taken back, so that it does not get there hours later. Text that people typed stays
//! in the document, and the workspace goes on trying to write it.

use std::{sync::Arc, time::Duration};

use aside_core::Failure;
use aside_gate::{Run, waiting};
use aside_workspace::{Document, Word, Workspace, WorkspaceError};

/// How long an outcome waits for the disk.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why a change is not in its file, although it is in the document and comes to the file later.
pub(crate) struct NotOnDisk(String);

impl NotOnDisk {
    pub(crate) fn because(failure: &Failure) -> Self {
        let hint = failure.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
        Self(format!("Not on disk yet: {}{hint}.", failure.message))
    }

    /// Adds it to what is told of a run.
    pub(crate) fn told(not_yet: Option<Self>, mut run: Run) -> Run {
        if let Some(Self(words)) = not_yet {
            run.observation.text = format!("{}\n{words}", run.observation.text);
            if let Some(data) = run.observation.data.as_object_mut() {
                data.insert("on_disk".to_owned(), false.into());
            }
        }
        run
    }
}

/// Has a changed document written. If the disk refuses, `take_back` undoes the change and tells whether it could. If a
/// person has to confirm the write, or the disk is slow, the change stays, and this is said.
///
/// # Errors
/// If the disk refused.
pub(crate) async fn written(
    workspace: &Arc<Workspace>,
    document: Arc<Document>,
    take_back: impl FnOnce(&Arc<Document>) -> bool + Send + 'static,
) -> Result<Option<NotOnDisk>, Failure> {
    let failure = match saved(workspace, Arc::clone(&document)).await {
        Ok(not_yet) => return Ok(not_yet),
        Err(failure) => failure,
    };
    let workspace = Arc::clone(workspace);
    let taking_back = waiting(move || {
        let taken_back = take_back(&document);
        // Nothing is left to be written then, unless somebody has typed: that goes on being tried.
        let _ = taken_back.then(|| workspace.save(&document, Word::NotGiven));
        taken_back
    });
    Err(refused(failure, taking_back.await.map_err(|error| error.failure())?))
}

/// Has a document written whose change is not given up, such as the outputs of a long run.
pub(crate) async fn written_or_kept(workspace: &Arc<Workspace>, document: Arc<Document>) -> Option<NotOnDisk> {
    saved(workspace, document).await.unwrap_or_else(|failure| Some(NotOnDisk::because(&failure)))
}

/// Has a document written.
///
/// # Errors
/// If the disk refused.
pub(crate) async fn saved(workspace: &Arc<Workspace>, document: Arc<Document>) -> Result<Option<NotOnDisk>, Failure> {
    let workspace = Arc::clone(workspace);
    let write = waiting(move || workspace.save(&document, Word::NotGiven));
    let Ok(done) = tokio::time::timeout(PATIENCE, write).await else {
        let seconds = PATIENCE.as_secs();
        return Ok(Some(NotOnDisk(format!("Not on disk yet: the disk has not answered for {seconds} s."))));
    };
    match done.map_err(|error| error.failure())? {
        Ok(()) => Ok(None),
        Err(error @ WorkspaceError::Held { .. }) => Ok(Some(NotOnDisk::because(&error.failure()))),
        Err(error) => Err(error.failure()),
    }
}

/// Why the change was not made, or is in the document only.
pub(crate) fn refused(failure: Failure, taken_back: bool) -> Failure {
    let end = match taken_back {
        true => "nothing was changed",
        false => "the change is only in the open document, and is written as soon as the disk takes it",
    };
    let message = format!("{}; {end}", failure.message);
    Failure { message, ..failure }
}
