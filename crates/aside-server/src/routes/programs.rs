//! `programs`: what the server finds on this machine of the programs it works with.

use std::sync::Arc;

use aside_macros::boxed;
use aside_protocol::Programs;
use aside_workspace::{find_latex, find_python};
use axum::{Json, extract::State};

use crate::{
    app::{App, blocking},
    problem::Problem,
};

/// Looks for them now: a person may have just installed one.
#[boxed]
pub async fn get(State(app): State<Arc<App>>) -> Result<Json<Programs>, Problem> {
    let folder = app.workspace.folder().to_owned();
    Ok(Json(blocking(move || Programs { python: find_python(&folder), latex: find_latex() }).await?))
}
