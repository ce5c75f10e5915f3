//! `settings`: the settings of the person, for the page.

use std::sync::Arc;

use aside_macros::boxed;
use aside_protocol::SettingsView;
use axum::{Json, extract::State};

use crate::{
    app::{App, blocking},
    problem::Problem,
};

/// Returns all settings, and the mistakes in the files.
#[boxed]
pub async fn get(State(app): State<Arc<App>>) -> Result<Json<SettingsView>, Problem> {
    let settings = app.settings.clone();
    Ok(Json(blocking(move || settings.view()).await?))
}
