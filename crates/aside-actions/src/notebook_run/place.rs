//! Reads the notebook that is run, and brings what it put out where it belongs. What people did there meanwhile stays.

use std::sync::Arc;

use aside_core::{ActionId, ActionRequest, Version, WorkspacePath};
use aside_doc::CellOutputs;
use aside_notebook::{Notebook, NotebookError};
use aside_workspace::{Document, EditRefused, Existing, Word, Workspace, WorkspaceError};
use serde_json::json;

use crate::request;

/// Bytes of a notebook that is run.
const MOST_BYTES: u64 = 256 << 20;

/// Reads a notebook as it is now: as people have it before them, if it is open.
pub(super) fn read(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<Result<Notebook, NotebookError>, WorkspaceError> {
    match open(workspace, path).and_then(|document| document.notebook()) {
        Some(notebook) => Ok(Ok(Arc::unwrap_or_clone(notebook))),
        None => Ok(Notebook::read(&workspace.read_file(path, MOST_BYTES)?)),
    }
}

/// The text of a notebook as it is now; none if there is none.
pub(super) fn text(workspace: &Workspace, path: &WorkspacePath) -> Option<Arc<str>> {
    match open(workspace, path) {
        Some(document) => Some(document.text()),
        None => String::from_utf8(workspace.read_file(path, MOST_BYTES).ok()?).ok().map(Into::into),
    }
}

/// Brings what was run to its target, which had the text `base` when the run began. Returns what takes it back.
pub(super) fn place(
    workspace: &Workspace,
    (path, target): (&WorkspacePath, &WorkspacePath),
    ran: &Notebook,
    outputs: &[CellOutputs],
    base: Option<&str>,
    action: &ActionId,
) -> Result<ActionRequest, EditRefused> {
    let document = open(workspace, target);
    let is_itself = path == target
        || workspace.real_path(path)? == document.as_ref().map_or_else(|| target.clone(), |open| open.path());
    match (document, base) {
        (Some(document), _) if is_itself => {
            note_metadata(&document, ran)?;
            let versions = document.take_outputs(outputs, action)?;
            saved(workspace, &document, versions)
        }
        (Some(document), Some(base)) => {
            let versions = document.take_in(base, &ran.write(), action)?;
            saved(workspace, &document, versions)
        }
        _ => {
            let placed = workspace.put_file(target, ran.write().as_bytes(), Existing::Overwrite)?;
            Ok(match placed.overwritten {
                Some(kept) => request("file.restore", json!({"kept": kept})),
                None => request("file.delete", json!({"path": target, "tidy": placed.made_folder})),
            })
        }
    }
}

/// The document of a notebook that is open.
fn open(workspace: &Workspace, path: &WorkspacePath) -> Option<Arc<Document>> {
    let real = workspace.real_path(path).ok()?;
    workspace.open_document(&real).filter(|document| document.is_notebook())
}

/// The kernel has said which language it runs, and what its widgets are.
fn note_metadata(document: &Arc<Document>, ran: &Notebook) -> Result<(), WorkspaceError> {
    for name in ["language_info", "widgets"] {
        if let Some(said) = ran.get("metadata").and_then(|metadata| metadata.get(name)) {
            document.set_notebook_metadata(name, Some(said.as_str()))?;
        }
    }
    Ok(())
}

fn saved(
    workspace: &Workspace,
    document: &Arc<Document>,
    (before, after): (Version, Version),
) -> Result<ActionRequest, EditRefused> {
    workspace.save(document, Word::NotGiven)?;
    Ok(request("doc.restore", json!({"path": document.path(), "version": before, "since": after})))
}
