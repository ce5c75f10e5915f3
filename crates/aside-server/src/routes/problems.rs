//! `problems`: what is known to be wrong in the workspace's files.

use std::sync::Arc;

use aside_core::WorkspacePath;
use aside_protocol::Problems;
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
pub async fn list(State(app): State<Arc<App>>, Asked(wanted): Asked<Wanted>) -> Result<Json<Problems>, Problem> {
    let workspace = app.workspace.clone();
    let problems = blocking(move || workspace.problems(wanted.path.as_ref())).await??;
    Ok(Json(Problems { problems }))
}
