//! `assistant`: how far AI goes here, and a person's word on it.

use std::sync::Arc;

use aside_core::AssistantState;
use aside_macros::boxed;
use aside_protocol::RestrictAssistant;
use axum::{Extension, Json, extract::State};
use serde_json::json;

use super::grants::ordered;
use crate::{
    access::Shown,
    app::App,
    assistant::NAME,
    problem::{Body, Problem},
};

/// Says how far AI goes, whose word that is, and when it changes.
#[boxed]
pub async fn get(State(app): State<Arc<App>>) -> Json<AssistantState> {
    Json(app.gate.assistant())
}

/// Says how far it is to go, for this folder or for the person. To send this is the person's word.
#[boxed]
pub async fn put(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(body): Body<RestrictAssistant>,
) -> Result<Json<AssistantState>, Problem> {
    ordered(&app, shown, NAME, json!(body)).await?;
    Ok(Json(app.gate.assistant()))
}
