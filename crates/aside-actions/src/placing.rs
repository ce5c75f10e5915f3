//! What comes to a place: new, or from another place. What is there stays, unless it is overwritten on purpose.

use std::{iter::successors, sync::Arc};

use aside_core::{
    ActionRequest, Assessment, Completeness, Failure, FileChange, FileDiff, Guard, Hunk, ObjectRef, Observation,
    Preview, PreviewBody, Risk, Warning, WorkspacePath,
};
use aside_gate::{ActionContext, Run};
use aside_workspace::{Existing, Expected, Placed, View, Workspace, WorkspaceError};
use serde_json::json;

use crate::{
    files::{bytes, counted, noun, touching, touching_all, version_of, viewing},
    request,
};

/// Assesses that something new comes to a place where nothing is.
pub(crate) async fn assess_new(
    workspace: &Arc<Workspace>,
    context: &ActionContext,
    path: &WorkspacePath,
) -> Result<Assessment, Failure> {
    check_new_name(workspace, context, path).await?;
    let place = path.clone();
    let version = viewing(workspace, context, move |view| version_of(view, &place)).await?;
    if version.version.is_some() {
        return Err(exists(path));
    }
    Ok(Assessment { versions: vec![version], ..touching(&workspace.view(&context.would_be), &[path], []) })
}

/// Assesses that something comes from one place to another; to overwrite is to take something away.
pub(crate) async fn assess_arrival(
    workspace: &Arc<Workspace>,
    context: &ActionContext,
    (from, to): (&WorkspacePath, &WorkspacePath),
    overwrite: bool,
) -> Result<Assessment, Failure> {
    let (source, target) = (from.clone(), to.clone());
    let found = viewing(workspace, context, move |view| {
        let versions = vec![version_of(view, &source)?, version_of(view, &target)?];
        Ok((versions, touching_all(view, &[&source, &target])?))
    });
    let (versions, assessment) = found.await?;
    if versions[0].version.is_none() {
        return Err(WorkspaceError::NotFound(from.clone()).failure());
    }
    let there = versions[1].version.is_some();
    if there && !overwrite {
        return Err(exists(to));
    }
    check_new_name(workspace, context, to).await?;
    Ok(with_overwrite(Assessment { versions, ..assessment }, there))
}

/// Refuses a name with control characters for something new: written with escapes, it is a Windows path more often than not.
/// An undo may bring such a file back.
async fn check_new_name(
    workspace: &Arc<Workspace>,
    context: &ActionContext,
    path: &WorkspacePath,
) -> Result<(), Failure> {
    if !path.has_escapes() || context.undoes.is_some() {
        return Ok(());
    }
    let place = path.clone();
    let new_name = move |view: &View<'_>| {
        let mut missing =
            successors(Some(place), WorkspacePath::parent).take_while(|place| view.survey(place).is_err());
        let escaped = missing.find(|place| WorkspacePath::new(place.name()).is_ok_and(|name| name.has_escapes()));
        Ok(escaped.map(|place| place.name().to_owned()))
    };
    match viewing(workspace, context, new_name).await? {
        None => Ok(()),
        Some(name) => {
            let message =
                format!("`{path}` is not a name for something new: a `\\` in `{name}` stands for a control character");
            Err(Failure::new("bad_name", message).hint("write `/` between folders, and leave `\\` out of names"))
        }
    }
}

/// Adds the risk of taking something away if something is there.
pub(crate) fn with_overwrite(mut assessment: Assessment, there: bool) -> Assessment {
    if there {
        assessment.risks.insert(Risk::Destructive);
    }
    assessment
}

/// What to do with a file that is there.
pub(crate) fn existing(overwrite: bool) -> Existing {
    if overwrite { Existing::Overwrite } else { Existing::Refuse }
}

/// Shows that something arrives at a place, and what it would overwrite there.
pub(crate) async fn arrival(
    workspace: &Arc<Workspace>,
    context: &ActionContext,
    (from, to): (&WorkspacePath, &WorkspacePath),
    change: FileChange,
    summary: impl FnOnce(&str) -> String,
) -> Result<Preview, Failure> {
    let (source, target) = (from.clone(), to.clone());
    let (survey, overwritten) = viewing(workspace, context, move |view| {
        let overwritten = match view.survey(&target) {
            Ok(survey) => Some(survey),
            Err(WorkspaceError::NotFound(_)) => None,
            Err(error) => return Err(error),
        };
        Ok((view.survey(&source)?, overwritten))
    })
    .await?;
    let row = |change, note| FileDiff {
        path: to.clone(),
        change,
        base: None,
        hunks: Vec::new(),
        note: Some(note),
        cell: None,
    };
    let mut files = vec![row(change, format!("{}, {}", noun(&survey), bytes(survey.bytes)))];
    let mut warnings = Vec::new();
    if let Some(gone) = overwritten {
        files.insert(0, row(FileChange::Deleted, format!("overwritten, {}", bytes(gone.bytes))));
        warnings.push(Warning { guard: Guard::WholeFile, text: format!("Overwrites {to}.") });
    }
    Ok(Preview {
        summary: summary(&noun(&survey)),
        body: PreviewBody::Diff { files },
        completeness: Completeness::Full,
        warnings,
    })
}

/// The answer when something is at the place.
fn exists(path: &WorkspacePath) -> Failure {
    Failure::new("exists", format!("`{path}` already exists")).hint("change it with `doc.edit`, or choose another name")
}

/// Shows a text file that would come, as one change.
pub(crate) fn new_text(path: &WorkspacePath, text: &str) -> Preview {
    let new: Vec<String> = text.lines().map(str::to_owned).collect();
    let note = format!("new file, {}", counted(new.len(), "line"));
    let hunk = Hunk {
        part: 0,
        start: 1,
        old: Vec::new(),
        new,
        before: Vec::new(),
        after: Vec::new(),
        confidence: aside_core::Confidence::Exact,
        anchor: None,
    };
    creation(path, if text.is_empty() { Vec::new() } else { vec![hunk] }, &note)
}

/// Shows something new at a place.
pub(crate) fn creation(path: &WorkspacePath, hunks: Vec<Hunk>, note: &str) -> Preview {
    let file = FileDiff {
        path: path.clone(),
        change: FileChange::Created,
        base: None,
        hunks,
        note: Some(note.to_owned()),
        cell: None,
    };
    Preview {
        body: PreviewBody::Diff { files: vec![file] },
        completeness: Completeness::Full,
        ..Preview::summary(format!("Create {path}"))
    }
}

/// Tells of a creation, with the way back.
pub(crate) fn created(path: &WorkspacePath, placed: &Placed, observation: Observation) -> Run {
    Run { observation, inverse: Some(way_back(path, placed)), changed: vec![ObjectRef::file(path)] }
}

/// The way back from putting something at a place: what was overwritten comes back, or the new file goes with the new
/// folders, unless somebody has changed it since. Folders stay if something else is in them.
pub(crate) fn way_back(path: &WorkspacePath, placed: &Placed) -> ActionRequest {
    let Placed { overwritten, made_folder, left } = placed;
    match overwritten {
        Some(kept) => request("file.restore", json!({"kept": kept, "expected": left})),
        None => request("file.delete", json!({"path": path, "tidy": made_folder, "expected": left})),
    }
}

/// The state that a place has to be in, as the arguments name it. An undo always names one; those that were recorded
/// before it did are refused.
pub(crate) fn expected<'a>(
    context: &ActionContext,
    path: &WorkspacePath,
    named: Option<&'a Expected>,
) -> Result<Option<&'a Expected>, Failure> {
    if named.is_none() && context.undoes.is_some() {
        let message = format!("an older version of Aside did not record what this action left at `{path}`");
        return Err(Failure::new("conflict", message)
            .hint("`file.delete` removes what is there now, and `file.restore` brings back what was stored"));
    }
    Ok(named)
}
