//! `language-servers`: the programs that say what is wrong in open documents, how they stand, and starting one anew.

use std::sync::Arc;

use aside_macros::boxed;
use aside_protocol::LanguageServers;
use axum::{Json, extract::State, http::StatusCode};

use crate::{
    app::{App, blocking},
    problem::{Named, Problem},
};

/// Reads the person's file anew if it has changed.
#[boxed]
pub async fn get(State(app): State<Arc<App>>) -> Result<Json<LanguageServers>, Problem> {
    let servers = app.language_servers.clone();
    let overview = blocking(move || servers.overview()).await?;
    Ok(Json(LanguageServers { file: overview.file, problem: overview.problem, servers: overview.servers }))
}

/// Starts one anew that a person set up.
#[boxed]
pub async fn restart(State(app): State<Arc<App>>, Named(name): Named<String>) -> Result<StatusCode, Problem> {
    let servers = app.language_servers.clone();
    let asked = name.clone();
    match blocking(move || servers.restart(&asked)).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem::not_found(format!("there is no language server `{name}`"))),
    }
}
