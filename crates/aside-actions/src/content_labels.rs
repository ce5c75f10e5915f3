//! Labels of what actions write, for the Gate: on the files of the workspace.

use std::sync::Arc;

use aside_core::{Failure, LabelSource, ObjectRef, ObjectVersion, WorkspacePath, WouldBe};
use aside_gate::{ContentLabels, Marked, Written};
use aside_workspace::{Workspace, WorkspaceError};
use futures_util::future::BoxFuture;

use crate::files::glancing;

/// The labels that are kept with the files of a workspace.
pub(crate) struct FileLabels {
    pub workspace: Arc<Workspace>,
}

impl ContentLabels for FileLabels {
    fn mark(&self, objects: Vec<ObjectRef>, source: LabelSource) -> BoxFuture<'_, Result<Vec<Marked>, Failure>> {
        Box::pin(glancing(&self.workspace, move |workspace| {
            let paths: Vec<_> = objects.iter().filter_map(path_of).collect();
            let marked = workspace.mark_external(&paths, &source)?;
            Ok(marked.into_iter().map(|(path, before)| Marked { object: ObjectRef::file(&path), before }).collect())
        }))
    }

    fn settle(&self, marked: Vec<Marked>, written: Written) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(glancing(&self.workspace, move |workspace| {
            for Marked { object, before } in marked {
                if let Some(path) = path_of(&object)
                    && !was_written(workspace, &path, &written)?
                {
                    workspace.keep_label(&path, before)?;
                }
            }
            Ok(())
        }))
    }
}

fn path_of(object: &ObjectRef) -> Option<WorkspacePath> {
    if object.kind == "file" { WorkspacePath::new(&object.id).ok() } else { None }
}

/// Tells whether what was written is, or may be, at a path now. What is gone has nothing from outside in it.
fn was_written(workspace: &Workspace, path: &WorkspacePath, written: &Written) -> Result<bool, WorkspaceError> {
    let real = match workspace.confine(path) {
        Ok(place) if place.entry()?.is_none() => return Ok(false),
        Ok(place) => place.path().clone(),
        Err(WorkspaceError::NotFound(_)) => return Ok(false),
        Err(error) => return Err(error),
    };
    match written {
        Written::Objects(objects) => {
            let paths = objects.iter().filter_map(path_of);
            Ok(paths.into_iter().any(|changed| path.is_within(&changed) || real.is_within(&changed)))
        }
        Written::Unless(versions) => same_version(workspace, &real, versions).map(|same| !same),
    }
}

fn same_version(
    workspace: &Workspace,
    real: &WorkspacePath,
    versions: &[ObjectVersion],
) -> Result<bool, WorkspaceError> {
    let of_this = |known: &&ObjectVersion| {
        path_of(&known.object)
            .is_some_and(|path| path == *real || workspace.real_path(&path).is_ok_and(|at| at == *real))
    };
    let Some(known) = versions.iter().find(of_this) else { return Ok(false) };
    Ok(workspace.view(&WouldBe::default()).version(real)? == known.version)
}
