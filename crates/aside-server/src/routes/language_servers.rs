//! `language-servers`: the programs that say what is wrong in open documents, and how they stand.

use std::sync::Arc;

use aside_protocol::LanguageServers;
use axum::{Json, extract::State};

use crate::{
    app::{App, blocking},
    problem::Problem,
};

/// Reads the person's file anew if it has changed.
pub async fn get(State(app): State<Arc<App>>) -> Result<Json<LanguageServers>, Problem> {
    let servers = app.language_servers.clone();
    let overview = blocking(move || servers.overview()).await?;
    Ok(Json(LanguageServers { file: overview.file, problem: overview.problem, servers: overview.servers }))
}
