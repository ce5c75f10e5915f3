//! What the file actions share: the facts about a place that assessments and previews are made of.

use std::sync::Arc;

use aside_core::{
    Assessment, Effects, Failure, FileChange, FileDiff, FileEffect, ObjectRef, ObjectVersion, Provenance, Risks,
    WorkspacePath,
};
use aside_gate::{ActionContext, GateError, briefly, waiting};
use aside_workspace::{KeptWhat, Survey, View, Workspace, WorkspaceError};

/// Rows of a preview that lists what is in a folder.
const MOST_ROWS: usize = 200;

/// Does what touches the disk without keeping others waiting.
pub(crate) async fn blocking<T: Send + 'static>(
    workspace: &Arc<Workspace>,
    work: impl FnOnce(&Workspace) -> Result<T, WorkspaceError> + Send + 'static,
) -> Result<T, Failure> {
    let workspace = Arc::clone(workspace);
    told(waiting(move || work(&workspace)).await)
}

/// Does what touches the disk, but hardly: a few looks at it.
pub(crate) async fn glancing<T: Send + 'static>(
    workspace: &Arc<Workspace>,
    work: impl FnOnce(&Workspace) -> Result<T, WorkspaceError> + Send + 'static,
) -> Result<T, Failure> {
    let workspace = Arc::clone(workspace);
    told(briefly(move || work(&workspace)).await)
}

fn told<T>(done: Result<Result<T, WorkspaceError>, GateError>) -> Result<T, Failure> {
    done.map_err(|error| error.failure())?.map_err(Failure::from)
}

/// Reads the workspace as the context says: as it is, or as the steps before this one would leave it.
pub(crate) async fn viewing<T: Send + 'static>(
    workspace: &Arc<Workspace>,
    context: &ActionContext,
    work: impl FnOnce(&View<'_>) -> Result<T, WorkspaceError> + Send + 'static,
) -> Result<T, Failure> {
    let would_be = Arc::clone(&context.would_be);
    blocking(workspace, move |workspace| work(&workspace.view(&would_be))).await
}

/// Says what would be different, by what the workspace foresees.
pub(crate) async fn foreseen(
    workspace: &Arc<Workspace>,
    context: &ActionContext,
    work: impl FnOnce(&View<'_>) -> Result<Vec<FileEffect>, WorkspaceError> + Send + 'static,
) -> Result<Effects, Failure> {
    viewing(workspace, context, work).await.map(Effects::Known)
}

/// Starts an assessment: the paths as asked for, where links lead if that is elsewhere, and whose content is there.
pub(crate) fn touching(view: &View<'_>, paths: &[&WorkspacePath], risks: impl Into<Risks>) -> Assessment {
    let mut targets: Vec<ObjectRef> = Vec::new();
    let mut provenance = Provenance::default();
    for path in paths {
        provenance.add(view.label_of(path));
        let new = targets_of(view, path).into_iter().filter(|target| !targets.contains(target)).collect::<Vec<_>>();
        targets.extend(new);
    }
    Assessment { risks: risks.into(), targets, provenance, ..Assessment::default() }
}

/// Returns a path as asked for, and where links lead if that is elsewhere.
pub(crate) fn targets_of(view: &View<'_>, path: &WorkspacePath) -> Vec<ObjectRef> {
    let real = view.real_path(path).ok().filter(|real| real != path);
    [Some(path.clone()), real].iter().flatten().map(ObjectRef::file).collect()
}

/// Returns the assessment of showing a file; fails if it is not there.
pub(crate) async fn showing(
    workspace: &Arc<Workspace>,
    context: &ActionContext,
    path: WorkspacePath,
) -> Result<Assessment, Failure> {
    let assessment = touching(&workspace.view(&context.would_be), &[&path], []);
    blocking(workspace, move |workspace| match workspace.confine(&path)?.entry()? {
        Some(_) => Ok(()),
        None => Err(WorkspaceError::NotFound(path)),
    })
    .await?;
    Ok(assessment)
}

/// The same for whole folders: what is in them and governs programs is named too.
pub(crate) fn touching_all(view: &View<'_>, paths: &[&WorkspacePath]) -> Result<Assessment, WorkspaceError> {
    let mut assessment = touching(view, paths, []);
    for path in paths {
        let survey = match view.survey(path) {
            Ok(survey) => survey,
            Err(WorkspaceError::NotFound(_)) => continue,
            Err(error) => return Err(error),
        };
        assessment.targets.extend(hidden_tops(&survey).into_iter().map(|path| ObjectRef::file(&path)));
    }
    Ok(assessment)
}

/// The entries below whose names start with a dot, without what is in them: the ones rules look at.
fn hidden_tops(survey: &Survey) -> Vec<WorkspacePath> {
    let mut tops: Vec<WorkspacePath> = Vec::new();
    for entry in survey.entries.iter().skip(1).filter(|entry| entry.path.name().starts_with('.')) {
        if !tops.last().is_some_and(|top| entry.path.is_within(top)) {
            tops.push(entry.path.clone());
        }
    }
    tops
}

/// The version of what is at a path; none if nothing is there.
pub(crate) fn version_of(view: &View<'_>, path: &WorkspacePath) -> Result<ObjectVersion, WorkspaceError> {
    Ok(ObjectVersion { object: ObjectRef::file(path), version: view.version(path)? })
}

/// Says in a preview what is at a place, file by file.
pub(crate) fn listed(survey: &Survey, change: &FileChange) -> Vec<FileDiff> {
    let entries = survey.entries.iter().take(MOST_ROWS);
    let mut rows: Vec<FileDiff> = entries
        .map(|entry| FileDiff {
            path: entry.path.clone(),
            change: change.clone(),
            base: None,
            hunks: Vec::new(),
            note: Some(describe(&entry.what)),
            cell: None,
        })
        .collect();
    if let (Some(last), Some(more)) = (rows.last_mut(), survey.entries.len().checked_sub(MOST_ROWS + 1)) {
        last.note = Some(format!("and {} more", more + 2));
    }
    rows
}

fn describe(what: &KeptWhat) -> String {
    match what {
        KeptWhat::File { size, .. } => bytes(*size),
        KeptWhat::Folder { .. } => "folder".to_owned(),
        KeptWhat::Link { target } => format!("link to {target}"),
    }
}

/// A size for people.
pub(crate) fn bytes(size: u64) -> String {
    match size {
        0..1_000 => format!("{size} bytes"),
        1_000..1_000_000 => format!("{}.{} kB", size / 1_000, size % 1_000 / 100),
        _ => format!("{}.{} MB", size / 1_000_000, size % 1_000_000 / 100_000),
    }
}

/// "file" or "folder with 3 files".
pub(crate) fn noun(survey: &Survey) -> String {
    match survey.entries.first().map(|entry| &entry.what) {
        Some(KeptWhat::Folder { .. }) => format!("folder with {}", counted(survey.files(), "file")),
        Some(KeptWhat::Link { .. }) => "link".to_owned(),
        _ => "file".to_owned(),
    }
}

/// "1 line", "2 lines".
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Notebooks are changed cell by cell, never as the JSON they are stored in.
pub(crate) fn refuse_raw_notebook(path: &WorkspacePath) -> Result<(), Failure> {
    if is_notebook(path) {
        return Err(Failure::new(
            "notebook",
            format!("`{path}` is a notebook: raw JSON edits would break outputs and open cells"),
        )
        .hint(
            "`notebook.read` shows its cells; `cell.edit`, `cell.set`, `cell.insert` and `cell.delete` change them",
        ));
    }
    Ok(())
}

/// Tells whether it is a notebook by its name.
pub(crate) fn is_notebook(path: &WorkspacePath) -> bool {
    path.name().to_ascii_lowercase().ends_with(".ipynb")
}

/// What a model that asks for the JSON of a notebook is told: cells that a person keeps from it are in there, and what cells
/// put out looks like any other text.
pub(crate) fn not_as_json(path: &WorkspacePath) -> Failure {
    Failure::new("notebook", format!("`{path}` is a notebook and can't be read as raw JSON"))
        .hint("`notebook.read` shows its cells with keys, versions and outputs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_well() {
        let shown: Vec<_> = [0, 999, 1_234, 12_345_678].into_iter().map(bytes).collect();
        assert_eq!(shown, ["0 bytes", "999 bytes", "1.2 kB", "12.3 MB"]);
    }
}
