//! `session`: the token of the address becomes a cookie that scripts can't read.

use std::sync::Arc;

use aside_core::{Failure, Person, Version};
use aside_macros::boxed;
use aside_protocol::{OpenSession, Session};
use axum::{Extension, Json, extract::State, http::header, response::IntoResponse};

use crate::{
    access::{Denied, Shown},
    app::App,
    problem::{Body, Problem},
};

/// Exchanges a token.
pub async fn open(State(app): State<Arc<App>>, Body(body): Body<OpenSession>) -> Result<impl IntoResponse, Problem> {
    let (secret, path) = (&app.access.secret, app.base_path.folder());
    let (cookie, person) = if secret.opens_session(&body.token) {
        (secret.set_cookie(&path), app.access.people.owner().clone())
    } else {
        let guest = app.access.guest(&body.token).ok_or(Denied::NoToken)?;
        (secret.set_guest_cookie(&path, &body.token), guest)
    };
    Ok(([(header::SET_COOKIE, cookie)], Json(session(&app, person))))
}

/// What a page with a cookie needs to make changes.
#[boxed]
pub async fn get(State(app): State<Arc<App>>, Extension(shown): Extension<Shown>) -> Json<Session> {
    Json(session(&app, app.person(&shown)))
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
    let folder = Version::of(app.workspace.folder().as_os_str().as_encoded_bytes());
    Session { csrf, user: person.name.clone(), person, workspace: app.workspace.name(), folder }
}
