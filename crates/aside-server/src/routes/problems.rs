//! `problems`: what is known to be wrong in the workspace's files.

use std::sync::Arc;

use aside_core::WorkspacePath;
use aside_macros::boxed;
use aside_protocol::Problems;
use aside_workspace::{Workspace, WorkspaceError};
use axum::{Json, extract::State};
use serde::Deserialize;

use crate::{
    app::{App, blocking},
    problem::{Asked, Problem},
};

/// Which file; all if none is named.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    path: Option<WorkspacePath>,
}

/// Lists them.
#[boxed]
pub async fn list(State(app): State<Arc<App>>, Asked(wanted): Asked<Wanted>) -> Result<Json<Problems>, Problem> {
    let workspace = app.workspace.clone();
    Ok(Json(blocking(move || told(&workspace, wanted.path.as_ref())).await??))
}

fn told(workspace: &Workspace, path: Option<&WorkspacePath>) -> Result<Problems, WorkspaceError> {
    let (problems, firsts) = (workspace.problems(path)?, workspace.first_latex_errors()?);
    let first = (0..).zip(&problems).filter(|(_, problem)| firsts.contains(problem)).map(|(at, _)| at).collect();
    Ok(Problems { problems, first })
}
