//! `models/keys`: the keys of model services. A key goes in and never comes out; the answers say where keys are from.

use std::sync::Arc;

use aside_core::{Failure, Secrets};
use aside_macros::boxed;
use aside_protocol::{KeyStatus, SetKey};
use axum::{Extension, Json, extract::State};
use serde_json::json;

use crate::{
    access::Shown,
    app::{App, blocking},
    keys::KeysError,
    problem::{Body, Named, Problem},
};

/// Says where the key of each service is from.
#[boxed]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<KeyStatus>>, Problem> {
    app.renew_keys().await?;
    Ok(Json(app.keys.list()))
}

/// Keeps a key.
#[boxed]
pub async fn set(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(service): Named<String>,
    body: Result<Body<SetKey>, Problem>,
) -> Result<Json<KeyStatus>, Problem> {
    // What is wrong with the body is not said in its own words, which may be the key.
    let Ok(Body(SetKey { key })) = body else {
        return Err(Failure::new("bad_request", "the body is not `{\"key\": …}`").into());
    };
    app.gate.keep_out(Secrets::new([key.trim().to_owned()]));
    let status = changed(&app, service.clone(), move |app, service| app.keys.set(service, &key)).await?;
    app.note_set("model.set_key", json!({ "service": service }), "the API key of a service was stored", shown).await?;
    Ok(status)
}

/// Forgets a key. A call under way keeps the connection that it has; the next one has no key.
#[boxed]
pub async fn forget(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(service): Named<String>,
) -> Result<Json<KeyStatus>, Problem> {
    let status = changed(&app, service.clone(), |app, service| app.keys.forget(service)).await?;
    app.note_set("model.forget_key", json!({ "service": service }), "the API key of a service was deleted", shown)
        .await?;
    Ok(status)
}

async fn changed(
    app: &Arc<App>,
    service: String,
    change: impl FnOnce(&App, &str) -> Result<(), KeysError> + Send + 'static,
) -> Result<Json<KeyStatus>, Problem> {
    // The person may have just named the service.
    app.renew_keys().await?;
    let (changing, of) = (app.clone(), service.clone());
    blocking(move || change(&changing, &of)).await?.map_err(Failure::from)?;
    tracing::info!("the stored key of {service} was changed");
    app.renew_keys().await?;
    Ok(Json(app.keys.one(&service).map_err(Failure::from)?))
}
