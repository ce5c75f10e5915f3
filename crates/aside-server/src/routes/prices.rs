//! `models/prices`: which lists of prices hold, and getting a newer one.

use std::sync::Arc;

use aside_core::Failure;
use aside_llm::{LITELLM, PriceTable, fetch_list, read_list};
use aside_macros::boxed;
use aside_protocol::{PriceList, PriceLists, RefreshPrices};
use axum::{Json, extract::State};

use crate::{
    app::{App, blocking},
    problem::{Body, Problem},
};

/// What a list that is not fetched is called.
const GIVEN: &str = "LiteLLM's format, from a file";

/// Lists them.
#[boxed]
pub async fn get(State(app): State<Arc<App>>) -> Json<PriceLists> {
    let spending = app.agents.spending();
    let lists = spending.prices().lists().map(list).collect();
    Json(PriceLists { lists, problem: spending.fetched_problem() })
}

/// Gets a newer list, or takes the one given, and keeps it in place of the one got before.
#[boxed]
pub async fn refresh(
    State(app): State<Arc<App>>,
    Body(RefreshPrices { from, list }): Body<RefreshPrices>,
) -> Result<Json<PriceLists>, Problem> {
    let day = app.store.now().day();
    let got = match (from, list) {
        (Some(_), Some(_)) => return Err(Problem::bad_request("pass either `from` or `list`, not both")),
        (None, Some(list)) => read_list(&list, GIVEN, &day),
        (from, None) => fetch_list(from.as_deref().unwrap_or(LITELLM), &day, app.models.permits()).await,
    };
    let table = got.map_err(|error| Failure::from(&error))?;
    tracing::info!("prices of {} models now come from {}", table.models.len(), table.source);
    let keeping = app.clone();
    let kept = blocking(move || keeping.agents.spending().keep_fetched(table)).await?;
    kept.map_err(|error| Failure::new("not_kept", format!("cannot store the price list: {error}")))?;
    app.history.prices_changed();
    Ok(get(State(app)).await)
}

/// A list as it goes over the wire.
pub(super) fn list(list: &PriceTable) -> PriceList {
    let models = u32::try_from(list.models.len()).unwrap_or(u32::MAX);
    PriceList { source: list.source.clone(), date: list.date.clone(), models }
}
