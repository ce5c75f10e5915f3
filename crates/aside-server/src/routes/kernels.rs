//! `kernels`: what can be started on this machine, and what runs beside notebooks.

use std::sync::Arc;

use aside_core::{FoundKernels, RunningKernel};
use aside_jupyter::{Disk, Surroundings, find_kernels};
use aside_macros::boxed;
use axum::{Json, extract::State};

use crate::{
    app::{App, blocking},
    problem::Problem,
};

/// Looks for them now: a person may have just installed one. Nothing is started for it.
#[boxed]
pub async fn get(State(app): State<Arc<App>>) -> Result<Json<FoundKernels>, Problem> {
    let around = Surroundings::of_process(app.workspace.folder());
    Ok(Json(blocking(move || find_kernels(&Disk, &around).found).await?))
}

/// Lists the kernels that run beside notebooks of the workspace.
#[boxed]
pub async fn running(State(app): State<Arc<App>>) -> Json<Vec<RunningKernel>> {
    Json(app.kernels.running())
}
