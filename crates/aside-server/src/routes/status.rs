//! `status`: which server this is.

use std::sync::Arc;

use aside_protocol::Status;
use axum::{Json, extract::State};

use crate::app::App;

/// Which server this is.
pub async fn get(State(app): State<Arc<App>>) -> Json<Status> {
    Json(Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        workspace: app.workspace.folder().display().to_string(),
        name: app.workspace.name(),
        pid: std::process::id(),
        demo: app.demo,
    })
}
