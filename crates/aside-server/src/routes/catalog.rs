//! `catalog`: what can be done.

use std::sync::Arc;

use aside_core::{ActionName, Descriptor};
use aside_protocol::CatalogHit;
use axum::{Json, extract::State};
use serde::Deserialize;

use crate::{
    app::App,
    problem::{Asked, Named, Problem},
};

/// Hits of one answer unless another number is asked for, and the most that can be.
const HITS: usize = 20;
const MOST_HITS: usize = 200;

/// Lists every descriptor.
pub async fn list(State(app): State<Arc<App>>) -> Json<Vec<Descriptor>> {
    Json(app.gate.catalog().descriptors().cloned().collect())
}

/// What to search for.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    #[serde(default)]
    q: String,
    limit: Option<usize>,
}

/// Finds actions by words.
pub async fn search(State(app): State<Arc<App>>, Asked(wanted): Asked<Wanted>) -> Json<Vec<CatalogHit>> {
    let limit = wanted.limit.unwrap_or(HITS).min(MOST_HITS);
    let hit = |found: &Descriptor| CatalogHit {
        name: found.name.clone(),
        summary: found.summary.clone(),
        risks: found.risks.clone(),
    };
    Json(app.gate.catalog().search(&wanted.q, limit).into_iter().map(hit).collect())
}

/// Returns one descriptor.
pub async fn get(State(app): State<Arc<App>>, Named(name): Named<ActionName>) -> Result<Json<Descriptor>, Problem> {
    let found = app.gate.catalog().describe(&name).cloned();
    found.map(Json).ok_or_else(|| Problem::not_found(format!("there is no action {name}")).hint("`catalog` lists them"))
}
