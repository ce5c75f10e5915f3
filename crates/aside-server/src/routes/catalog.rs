//! `catalog`: what can be done.

use std::sync::Arc;

use aside_core::{ActionName, Descriptor, Risk, Risks};
use aside_gate::Query;
use aside_macros::boxed;
use aside_protocol::CatalogHit;
use axum::{Extension, Json, extract::State};
use serde::Deserialize;

use crate::{
    access::Shown,
    app::App,
    problem::{Asked, Named, Problem},
};

/// Hits of one answer unless another number is asked for, and the most that can be.
const HITS: usize = 20;
const MOST_HITS: usize = 200;

/// Lists every descriptor, or those that the asker's grant covers.
#[boxed]
pub async fn list(State(app): State<Arc<App>>, Extension(shown): Extension<Shown>) -> Json<Vec<Arc<Descriptor>>> {
    let mut found = app.gate.catalog().descriptors();
    found.retain(|action| covered(&app, &shown, action));
    Json(found)
}

/// What to search for.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    #[serde(default)]
    q: String,
    limit: Option<usize>,
    noun: Option<String>,
    /// Names of risks, with commas between them.
    risks: Option<String>,
}

impl Wanted {
    fn risks(&self) -> Result<Option<Risks>, Problem> {
        let Some(names) = &self.risks else { return Ok(None) };
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        let risks = names.map(|name| name.parse::<Risk>().map_err(|error| Problem::bad_request(error.to_string())));
        risks.collect::<Result<Risks, _>>().map(Some)
    }
}

/// Finds actions by words.
#[boxed]
pub async fn search(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Json<Vec<CatalogHit>>, Problem> {
    let limit = wanted.limit.unwrap_or(HITS).min(MOST_HITS);
    let risks = wanted.risks()?;
    let query = Query { words: &wanted.q, noun: wanted.noun.as_deref(), risks: risks.as_ref(), limit: MOST_HITS };
    let hit = |found: Arc<Descriptor>| CatalogHit {
        name: found.name.clone(),
        summary: found.summary.clone(),
        risks: found.risks.clone(),
    };
    let mut found = app.gate.catalog().search(&query);
    found.retain(|action| covered(&app, &shown, action));
    Ok(Json(found.into_iter().take(limit).map(hit).collect()))
}

/// Returns one descriptor.
#[boxed]
pub async fn get(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(name): Named<ActionName>,
) -> Result<Json<Descriptor>, Problem> {
    let found = app.gate.catalog().describe(&name).filter(|action| covered(&app, &shown, action));
    found
        .map(Json)
        .ok_or_else(|| Problem::not_found(format!("there is no action {name}")).hint("`GET catalog` lists all actions"))
}

fn covered(app: &App, shown: &Shown, action: &Descriptor) -> bool {
    shown.grant().is_none_or(|grant| grant.covers(&action.name, &action.risks, app.gate.now()))
}
