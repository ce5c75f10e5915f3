//! `session`: the token of the address becomes a cookie that scripts can't read. `devices`: the browsers that have one.

use std::sync::Arc;

use aside_core::{DeviceId, Failure, Person, Sha256};
use aside_macros::boxed;
use aside_protocol::{Devices, OpenSession, Session};
use axum::{
    Extension, Json,
    extract::State,
    http::{HeaderMap, header},
    response::IntoResponse,
};
use serde_json::json;

use crate::{
    access::{Denied, Secret, Shown, browser_name},
    app::{App, blocking},
    problem::{Body, Named, Problem},
};

/// Exchanges a token. A browser that is signed in already stays the device that it is.
pub async fn open(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Body(body): Body<OpenSession>,
) -> Result<impl IntoResponse, Problem> {
    let path = app.base_path.folder();
    if !app.access.secret.opens_session(&body.token) {
        let guest = app.access.guest(&body.token).ok_or(Denied::NoToken)?;
        note(&app, &guest.name, Shown::Guest(Arc::new(guest.clone()))).await?;
        let cookie = app.access.secret.set_guest_cookie(&path, &body.token);
        return Ok(([(header::SET_COOKIE, cookie)], Json(session(&app, guest))).into_response());
    }
    let owner = Json(session(&app, app.access.people.owner()));
    if app.access.device(&headers).is_some() {
        return Ok(owner.into_response());
    }
    let secret = sign_in(&app, &headers).await?;
    Ok(([(header::SET_COOKIE, app.access.secret.set_device_cookie(&path, &secret))], owner).into_response())
}

/// Keeps a new device, and returns its secret.
async fn sign_in(app: &Arc<App>, headers: &HeaderMap) -> Result<String, Problem> {
    let random =
        Secret::random_token().map_err(|error| Failure::new("io", format!("cannot create a cookie: {error}")))?;
    let secret = Sha256::of(random).as_str().to_owned();
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let (name, id, now) = (browser_name(agent), app.store.new_id::<DeviceId>(), app.store.now());
    note(app, &name, Shown::Cookie(id.clone())).await?;
    let (keeping, kept) = (app.clone(), secret.clone());
    blocking(move || keeping.access.devices.add(id, name, &kept, now)).await??;
    Ok(secret)
}

async fn note(app: &App, who: &str, shown: Shown) -> Result<(), Problem> {
    Ok(app.note_set("session.open", json!({ "who": who }), "a browser signed in", shown).await?)
}

/// What a page with a cookie needs to make changes.
#[boxed]
pub async fn get(State(app): State<Arc<App>>, Extension(shown): Extension<Shown>) -> Json<Session> {
    if let Shown::Cookie(id) = shown.clone() {
        let (using, now) = (app.clone(), app.store.now());
        let noted = blocking(move || using.access.devices.touch(&id, now)).await;
        if let Err(failure) | Ok(Err(failure)) = noted {
            tracing::warn!("cannot note that a browser is in use: {}", failure.message);
        }
    }
    Json(session(&app, app.person(&shown)))
}

/// Lists the signed-in browsers.
#[boxed]
pub async fn devices(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
) -> Result<Json<Devices>, Problem> {
    let mine = match shown {
        Shown::Cookie(id) => Some(id),
        _ => None,
    };
    let devices = blocking(move || app.access.devices.list(app.store.now())).await?;
    Ok(Json(Devices { mine, devices }))
}

/// Signs a browser out, at once.
#[boxed]
pub async fn revoke(State(app): State<Arc<App>>, Named(id): Named<DeviceId>) -> Result<Json<DeviceId>, Problem> {
    let device = id.clone();
    match blocking(move || app.access.devices.revoke(&device)).await?? {
        true => Ok(Json(id)),
        false => Err(Problem::not_found(format!("there is no signed-in browser {id}"))),
    }
}

/// Makes a token that opens one session.
#[boxed]
pub async fn once(State(app): State<Arc<App>>) -> Result<Json<OpenSession>, Problem> {
    match app.access.secret.token_for_once() {
        Ok(token) => Ok(Json(OpenSession { token })),
        Err(error) => Err(Failure::new("io", format!("cannot create a token: {error}")).into()),
    }
}

fn session(app: &App, person: Person) -> Session {
    let csrf = app.access.secret.csrf().to_owned();
    Session { csrf, user: person.name.clone(), person, workspace: app.workspace.name() }
}
