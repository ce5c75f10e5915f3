//! `models/…`: what a person says of the services that run models. Consent and Local only are actions, so that the Gate
//! records them; to send one of these requests is the person's word, and not asked for a second time.

use std::sync::Arc;

use aside_core::Failure;
use aside_macros::boxed;
use aside_protocol::{GiveConsent, LocalOnly, Models, SetLocalOnly};
use axum::{Extension, Json, extract::State};
use serde_json::json;

use super::{grants::ordered, models};
use crate::{
    access::Shown,
    app::App,
    problem::{Body, Named, Problem},
};

/// Lets content go to a provider where it is now.
#[boxed]
pub async fn allow(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(provider): Named<String>,
    Body(body): Body<GiveConsent>,
) -> Result<Json<Models>, Problem> {
    if !hosts(&app, &provider).await?.contains(&body.host) {
        let message = format!("{provider} does not use the host {}", body.host);
        return Err(Failure::new("stale", message).hint("reload the list of models").into());
    }
    ordered(&app, shown, "model.allow", json!({ "provider": provider, "host": body.host })).await?;
    models::list(&app).await
}

/// Lets no more content go to a provider.
#[boxed]
pub async fn disallow(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(provider): Named<String>,
) -> Result<Json<Models>, Problem> {
    ordered(&app, shown, "model.disallow", json!({ "provider": provider })).await?;
    models::list(&app).await
}

/// Whether any other machine is reached.
#[boxed]
pub async fn local_only(State(app): State<Arc<App>>) -> Json<LocalOnly> {
    Json(app.outside.local_only())
}

/// Says whether any other machine is reached.
#[boxed]
pub async fn set_local_only(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(body): Body<SetLocalOnly>,
) -> Result<Json<LocalOnly>, Problem> {
    if app.outside.local_only() != (LocalOnly { on: body.on, forced: false }) {
        ordered(&app, shown, "model.local_only", json!({ "on": body.on })).await?;
    }
    Ok(Json(app.outside.local_only()))
}

/// Where a provider sends to, by itself or for one of its models.
async fn hosts(app: &App, provider: &str) -> Result<Vec<String>, Problem> {
    let found = app.models.status().await.into_iter().find(|status| status.info.id == provider);
    let found = found.ok_or_else(|| Problem::not_found(format!("the provider `{provider}` is not set up")))?;
    let own = found.info.elsewhere().filter(|_| found.info.endpoint.is_some());
    Ok(own.into_iter().chain(found.models.into_iter().filter_map(|model| model.elsewhere)).collect())
}
