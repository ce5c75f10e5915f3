//! `spending`: what models have cost here, and what may be spent.

use std::{collections::BTreeMap, sync::Arc};

use aside_agent::{CallRecord, SpendingLimits as Limits};
use aside_core::{Cost, Usage};
use aside_llm::PriceTable;
use aside_protocol::{DaySpending, ModelSpending, PriceList, SpendingLimits, SpendingView};
use axum::{Json, extract::State};

use crate::{app::App, problem::Problem};

/// Days that are shown.
const DAYS: usize = 31;

/// The account of this workspace.
pub async fn get(State(app): State<Arc<App>>) -> Result<Json<SpendingView>, Problem> {
    let spending = app.agents.spending();
    let (today, calls) = (spending.today()?, spending.calls()?);
    let (limits, problem) = match spending.limits() {
        Ok(limits) => (limits, None),
        Err(mistake) => (Limits::default(), Some(mistake)),
    };
    Ok(Json(SpendingView {
        today,
        total: calls.iter().fold(Cost::default(), |sum, call| sum.plus(&call.cost)),
        days: days(&calls),
        models: models(&calls),
        limits: SpendingLimits { turn: limits.turn, thread: limits.thread, day: limits.day },
        problem,
        warning: spending.warning(&today),
        file: spending.file().map(|path| path.display().to_string()),
        prices: spending.prices().lists().map(price_list).collect(),
    }))
}

/// A list as it goes over the wire.
fn price_list(list: &PriceTable) -> PriceList {
    let models = u32::try_from(list.models.len()).unwrap_or(u32::MAX);
    PriceList { source: list.source.clone(), date: list.date.clone(), models }
}

fn days(calls: &[CallRecord]) -> Vec<DaySpending> {
    let mut days: BTreeMap<String, Cost> = BTreeMap::new();
    for call in calls {
        let cost = days.entry(call.at.day()).or_default();
        *cost = cost.plus(&call.cost);
    }
    days.into_iter().rev().take(DAYS).map(|(day, cost)| DaySpending { day, cost }).collect()
}

fn models(calls: &[CallRecord]) -> Vec<ModelSpending> {
    let mut models = BTreeMap::new();
    for CallRecord { model, usage, cost, .. } in calls {
        let entry = models.entry(model.clone()).or_insert_with(|| ModelSpending {
            model: model.clone(),
            calls: 0,
            usage: Usage::default(),
            cost: Cost::default(),
        });
        entry.calls += 1;
        entry.usage = entry.usage.plus(usage);
        entry.cost = entry.cost.plus(cost);
    }
    let mut models: Vec<_> = models.into_values().collect();
    models.sort_by_key(|model| std::cmp::Reverse((model.cost.picodollars, model.calls)));
    models
}
