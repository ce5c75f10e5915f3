//! What a session reads from a notebook's document and writes into it.

use std::sync::Arc;

use aside_core::{FoundKernel, WorkspacePath};
use aside_notebook::{CellKey, Member, Notebook, Raw, joined};
use aside_workspace::{Existing, Workspace};
use serde_json::Value;

use crate::{SessionError, choose::kernelspec};

/// Bytes of a notebook.
const MOST_BYTES: u64 = 256 << 20;

/// What a cell has put out, as the format has it.
#[derive(Clone, Debug)]
pub(crate) struct CellOutputs {
    pub key: CellKey,
    pub outputs: Raw,
    pub count: Option<u64>,
}

/// Reads a notebook as it is now.
pub(crate) async fn read(workspace: &Arc<Workspace>, path: &WorkspacePath) -> Result<Notebook, SessionError> {
    let (workspace, path) = (workspace.clone(), path.clone());
    blocking(move || notebook(&workspace, &path)).await
}

fn notebook(workspace: &Workspace, path: &WorkspacePath) -> Result<Notebook, SessionError> {
    let bytes = workspace.read_file(path, MOST_BYTES)?;
    Notebook::read(&bytes).map_err(|error| SessionError::NotNotebook { path: path.clone(), error })
}

/// Writes what cells have put out. Cells that are not there any more are left out.
pub(crate) async fn write(
    workspace: &Arc<Workspace>,
    path: &WorkspacePath,
    outputs: Vec<CellOutputs>,
) -> Result<(), SessionError> {
    let (workspace, path) = (workspace.clone(), path.clone());
    blocking(move || {
        let mut notebook = notebook(&workspace, &path)?;
        for CellOutputs { key, outputs, count } in outputs {
            if let Some(cell) = notebook.cells.iter_mut().find(|cell| *cell.key() == key) {
                cell.set("outputs", outputs);
                cell.set("execution_count", Raw::of(&count.map_or(Value::Null, Value::from)));
            }
        }
        workspace.put_file(&path, notebook.write().as_bytes(), Existing::Overwrite)?;
        Ok(())
    })
    .await
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
        let mut notebook = notebook(&workspace, &path)?;
        let before = notebook.get("metadata").cloned().unwrap_or_else(|| Raw::of_members(&[]));
        let changes = learned(&before, Some(&kernel), language.as_deref());
        if !changes.is_empty() {
            notebook.set("metadata", changed(&before, changes));
            workspace.put_file(&path, notebook.write().as_bytes(), Existing::Overwrite)?;
        }
        Ok(())
    })
    .await
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
