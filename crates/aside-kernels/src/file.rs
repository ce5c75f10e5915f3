//! What a session reads from a notebook's document and writes into it.

use std::{sync::Arc, time::Duration};

use aside_core::{FoundKernel, WorkspacePath};
use aside_doc::CellOutputs;
use aside_notebook::{Member, Notebook, Raw, joined};
use aside_workspace::{Document, DocumentState, Workspace};
use serde_json::Value;
use tokio::sync::watch;

use crate::{SessionError, choose::kernelspec};

/// How long the file may take to have what its document has.
const WRITTEN_WITHIN: Duration = Duration::from_secs(30);

/// Reads a notebook as it is now.
pub(crate) async fn read(workspace: &Arc<Workspace>, path: &WorkspacePath) -> Result<Arc<Notebook>, SessionError> {
    // It is nearly always open, and then there is nothing to wait for.
    if let Some(notebook) = workspace.document_at_hand(path).and_then(|document| document.notebook()) {
        return Ok(notebook);
    }
    let (workspace, path) = (workspace.clone(), path.clone());
    blocking(move || {
        let document = workspace.document(&path)?;
        match document.notebook() {
            Some(notebook) => Ok(notebook),
            // Says what is wrong with it.
            None => {
                let read = Notebook::read(document.text().as_bytes());
                read.map(Arc::new).map_err(|error| not_a_notebook(&path, &error))
            }
        }
    })
    .await
}

/// How the document stands with its file, now and later.
pub(crate) async fn state(
    workspace: &Arc<Workspace>,
    path: &WorkspacePath,
) -> Result<watch::Receiver<DocumentState>, SessionError> {
    let (workspace, path) = (workspace.clone(), path.clone());
    blocking(move || Ok(workspace.document(&path)?.state())).await
}

/// Puts what cells have put out into the document. Cells that are not there any more are passed over.
pub(crate) async fn set(
    workspace: &Arc<Workspace>,
    path: &WorkspacePath,
    outputs: Vec<CellOutputs>,
) -> Result<Arc<Document>, SessionError> {
    let (workspace, path) = (workspace.clone(), path.clone());
    blocking(move || {
        let document = workspace.document(&path)?;
        document.set_outputs(&outputs).map_err(|error| not_a_notebook(&path, &error))?;
        Ok(document)
    })
    .await
}

/// Waits until the file has what its document has; tells whether it does.
pub(crate) async fn is_saved(document: &Document) -> bool {
    let mut state = document.state();
    let saved = state.wait_for(|state| state.saved || state.gone || state.needs_word || state.problem.is_some());
    tokio::time::timeout(WRITTEN_WITHIN, saved).await.is_ok_and(|state| state.is_ok_and(|state| state.saved))
}

/// Notes in a notebook which kernel it has.
pub(crate) async fn note_kernel(
    workspace: &Arc<Workspace>,
    path: &WorkspacePath,
    kernel: FoundKernel,
    language: Option<String>,
) -> Result<(), SessionError> {
    let (workspace, path) = (workspace.clone(), path.clone());
    blocking(move || {
        let document = workspace.document(&path)?;
        let metadata = document.notebook().and_then(|notebook| notebook.get("metadata").cloned());
        let metadata = metadata.unwrap_or_else(|| Raw::of_members(&[]));
        for Member { name, value } in learned(&metadata, Some(&kernel), language.as_deref()) {
            document.set_notebook_metadata(&name, Some(value.as_str()))?;
        }
        Ok(())
    })
    .await
}

fn not_a_notebook(path: &WorkspacePath, error: &impl ToString) -> SessionError {
    SessionError::NotNotebook { path: path.clone(), error: error.to_string() }
}

/// What a notebook's metadata should say of its kernel and does not, by name.
pub fn learned(metadata: &Raw, kernel: Option<&FoundKernel>, language: Option<&str>) -> Vec<Member> {
    let mut changes = Vec::new();
    let named = metadata.get("kernelspec").and_then(|spec| spec.get("name")).as_ref().and_then(joined);
    if let Some(kernel) = kernel.filter(|kernel| named.as_deref() != Some(&kernel.name)) {
        changes.push(Member { name: "kernelspec".to_owned(), value: kernelspec(kernel) });
    }
    let value = |raw: &Raw| serde_json::from_str::<Value>(raw.as_str()).ok();
    if let Some(said) = language.and_then(|said| Raw::parse(said).ok())
        && metadata.get("language_info").is_none_or(|known| value(&known) != value(&said))
    {
        changes.push(Member { name: "language_info".to_owned(), value: said });
    }
    changes
}

/// The same object with members in place of those of their names.
pub fn changed(object: &Raw, changes: Vec<Member>) -> Raw {
    let mut members = object.members().unwrap_or_default();
    for change in changes {
        members.retain(|member| member.name != change.name);
        members.push(change);
    }
    Raw::of_members(&members)
}

/// Does work that waits for a disk.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SessionError> + Send + 'static,
) -> Result<T, SessionError> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(SessionError::Ending))
}

#[cfg(test)]
mod tests {
    use aside_core::KernelPlace;

    use super::*;

    #[test]
    fn only_what_is_other_is_noted() {
        let kernel = FoundKernel {
            name: "python3".into(),
            display_name: "Python 3".into(),
            language: "python".into(),
            place: KernelPlace::Person,
            path: String::new(),
        };
        let metadata =
            r#"{"x":1.0,"kernelspec":{"name":"python3","display_name":"P"},"language_info":{"name":"python"}}"#;
        let metadata = Raw::parse(metadata).unwrap();
        assert!(learned(&metadata, Some(&kernel), Some(r#"{ "name": "python" }"#)).is_empty());
        let other = FoundKernel { name: "ir".into(), ..kernel };
        let after = changed(&metadata, learned(&metadata, Some(&other), Some(r#"{"name":"R"}"#)));
        let wanted = r#"{"x":1.0,"kernelspec":{"display_name":"Python 3","language":"python","name":"ir"},"language_info":{"name":"R"}}"#;
        assert_eq!(after.as_str(), wanted);
    }
}
