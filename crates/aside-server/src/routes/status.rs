//! `status`: which server this is.

use std::sync::Arc;

use aside_macros::boxed;
use aside_protocol::Status;
use axum::{Json, extract::State};

use crate::{
    app::{App, blocking},
    problem::Problem,
};

/// Which server this is.
#[boxed]
pub async fn get(State(app): State<Arc<App>>) -> Result<Json<Status>, Problem> {
    let processes = app.workspace.processes().clone();
    // Trying it takes a moment after the start.
    let sandbox = blocking(move || processes.found().clone()).await?;
    Ok(Json(Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        workspace: app.workspace.folder().display().to_string(),
        name: app.workspace.name(),
        pid: std::process::id(),
        demo: app.demo,
        sandbox: sandbox.level,
        sandbox_missing: sandbox.missing,
    }))
}
