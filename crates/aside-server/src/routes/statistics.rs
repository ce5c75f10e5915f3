//! `statistics`: how well Aside serves, for the person at this machine.

use std::sync::Arc;

use aside_macros::boxed;
use aside_protocol::{CountSentence, FindStatistics, Statistics};
use axum::{Json, extract::State};

use crate::{
    app::{App, blocking},
    problem::{Asked, Body, Problem},
    statistics,
};

/// Days that are counted if nothing is said, and the most.
const DAYS: u32 = 30;
const MOST_DAYS: u32 = 3650;

/// Counts the last days.
#[boxed]
pub async fn get(
    State(app): State<Arc<App>>,
    Asked(wanted): Asked<FindStatistics>,
) -> Result<Json<Statistics>, Problem> {
    let days = wanted.days.unwrap_or(DAYS).clamp(1, MOST_DAYS);
    let counted = blocking(move || statistics::statistics(&app.store, &app.gate, &app.tasks, days));
    Ok(Json(counted.await??))
}

/// Counts a sentence.
#[boxed]
pub async fn count(State(app): State<Arc<App>>, Body(sentence): Body<CountSentence>) -> Result<Json<()>, Problem> {
    blocking(move || statistics::count(&app.store, &sentence)).await??;
    Ok(Json(()))
}

/// Deletes the counts of sentences.
#[boxed]
pub async fn forget(State(app): State<Arc<App>>) -> Result<Json<()>, Problem> {
    blocking(move || statistics::forget(&app.store)).await??;
    Ok(Json(()))
}
