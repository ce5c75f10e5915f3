//! `session`: the token of the address becomes a cookie that scripts can't read.

use std::sync::Arc;

use aside_core::Failure;
use aside_protocol::{OpenSession, Session};
use axum::{Json, extract::State, http::header, response::IntoResponse};

use crate::{
    access::Denied,
    app::App,
    problem::{Body, Problem},
};

/// Exchanges a token.
pub async fn open(State(app): State<Arc<App>>, Body(body): Body<OpenSession>) -> Result<impl IntoResponse, Problem> {
    if !app.access.secret.opens_session(&body.token) {
        return Err(Denied::NoToken.into());
    }
    let cookie = app.access.secret.set_cookie(&app.base_path.folder());
    Ok(([(header::SET_COOKIE, cookie)], Json(session(&app))))
}

/// What a page with a cookie needs to make changes.
pub async fn get(State(app): State<Arc<App>>) -> Json<Session> {
    Json(session(&app))
}

/// Makes a token that opens one session.
pub async fn once(State(app): State<Arc<App>>) -> Result<Json<OpenSession>, Problem> {
    match app.access.secret.token_for_once() {
        Ok(token) => Ok(Json(OpenSession { token })),
        Err(error) => Err(Failure::new("io", format!("cannot make a token: {error}")).into()),
    }
}

fn session(app: &App) -> Session {
    Session { csrf: app.access.secret.csrf().to_owned(), user: app.user.clone(), workspace: app.workspace.name() }
}
