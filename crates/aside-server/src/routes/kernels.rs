//! `kernels`: what can be started on this machine.

use std::sync::Arc;

use aside_core::FoundKernels;
use aside_jupyter::{Disk, Surroundings, find_kernels};
use axum::{Json, extract::State};

use crate::{
    app::{App, blocking},
    problem::Problem,
};

/// Looks for them now: a person may have just installed one. Nothing is started for it.
pub async fn get(State(app): State<Arc<App>>) -> Result<Json<FoundKernels>, Problem> {
    let around = Surroundings::of_process(app.workspace.folder());
    Ok(Json(blocking(move || find_kernels(&Disk, &around).found).await?))
}
