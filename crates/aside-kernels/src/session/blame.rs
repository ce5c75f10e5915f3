//! What a cell that failed says of files of the workspace is shown at their lines, until a run of the notebook ends well.

use std::sync::Arc;

use aside_core::ProblemSource;
use aside_jupyter::Raised;
use aside_workspace::process::plain_text;

use super::Shared;
use crate::OutputEvent;

/// Shows what was raised at the lines that its traceback names.
pub(super) fn show(shared: &Arc<Shared>, outputs: &[OutputEvent]) {
    let raised = outputs.iter().rev().find_map(|output| match output {
        OutputEvent::Error(raised) if !raised.traceback.is_empty() => Some(raised),
        _ => None,
    });
    let Some(Raised { traceback, .. }) = raised else { return };
    let (shared, text) = (shared.clone(), traceback.join("\n"));
    // It reads the files that are named.
    tokio::task::spawn_blocking(move || {
        let path = shared.lock().path.clone();
        let text = plain_text(format!("{text}\n").as_bytes());
        shared.workspace.show_said(ProblemSource::Kernel, path.as_str(), path.parent().as_ref(), &text);
    });
}

/// Forgets what a run of this notebook said before.
pub(super) fn forget(shared: &Shared) {
    let path = shared.lock().path.clone();
    shared.workspace.forget_said(ProblemSource::Kernel, path.as_str());
}
